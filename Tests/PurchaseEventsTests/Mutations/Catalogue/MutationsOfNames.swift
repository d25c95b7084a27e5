import PurchaseEvents

extension Mutation {
    /// The subject of an event, and quantities.
    static let ofNames: [Mutation] = [
        Mutation("another product", .product) { $0[.product] == nil ? [] : ["com.example.never"] },
        Mutation("the product of another event") { log, index in
            guard log[index].kind(of: .product) != nil, let own = log[index][.product],
                let other = log.compactMap({ $0[.product] }).first(where: { $0 != own })
            else { return [] }
            return log.replacing(index, by: log[index].saying(other, for: .product))
        },
        Mutation("a transaction renamed", .transaction) {
            $0[.transaction] == nil ? [] : ["999999999999999"]
        },
        Mutation("the transaction of another event") { log, index in
            guard let own = log[index][.transaction],
                let other = log.compactMap({ $0[.transaction] }).first(where: { $0 != own })
            else { return [] }
            return log.replacing(index, by: log[index].saying(other, for: .transaction))
        },
        Mutation("the original renamed", .original) {
            $0[.original] == nil ? [] : ["888888888888888"]
        },
        Mutation("the original left out", .original) { _ in [nil] },
        Mutation("its own original", .original, of: EventTypes(.queueRestored, .receiptListed)) {
            [$0[.transaction]]
        },
        Mutation("a payment renamed", .payment) {
            $0[.payment] == nil ? [] : ["another-payment"]
        },
        Mutation("the payment left out", .payment, of: EventTypes(.queuePurchased)) { _ in [nil] },
        Mutation("a receipt renamed", .receipt) {
            $0[.receipt] == nil ? [] : ["another-receipt"]
        },
        Mutation("a receipt left out", .receipt) { _ in [nil] },
        Mutation("a download renamed", .download) { _ in ["another-download"] },
        Mutation("another content", .content) { _ in ["another-content"] },
        Mutation("another group", .group) { $0[.group] == nil ? [] : ["another-group"] },
        Mutation("another level", .level) {
            $0[.level] == nil ? [] : [$0[.level] == "1" ? "2" : "1"]
        },
        Mutation("the quantity one more", .quantity) { ["\(($0.number(.quantity) ?? 1) + 1)"] },
        Mutation("the quantity one less", .quantity) { row in
            guard let quantity = row.number(.quantity), quantity > 1 else { return [] }
            return ["\(quantity - 1)"]
        },
        Mutation("the quantity eleven", .quantity) { _ in ["11"] },
        Mutation("the quantity left out", .quantity) { _ in [nil] },
        Mutation("the price doubled", .price) { row in
            row.number(.price).map { ["\($0 * 2)"] } ?? []
        },
        Mutation("the price not said", .price) { _ in [nil] },
    ]
}
