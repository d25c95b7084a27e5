import PurchaseEvents

/// What receipt rows and renewals of any account state of products, which holds for the lines of
/// every account.
struct StatedProducts {
    /// The indices of the first lines that state a product's kind, and its group.
    private(set) var firstStatements: Set<Int> = []
    /// The products of which lines state two kinds, or two groups.
    private(set) var disputed: Set<String> = []

    init(_ events: [Event<Written>?]) {
        var kinds: [String: ProductKind] = [:]
        var groups: [String: String] = [:]
        for (index, event) in events.enumerated() {
            guard let (product, kind, group) = event.flatMap({ StatedProducts.stated($0.fact) })
            else { continue }
            note(kind, of: product, at: index, &kinds)
            note(group, of: product, at: index, &groups)
        }
    }

    private mutating func note<Value: Equatable>(
        _ value: Value?, of product: String, at index: Int, _ known: inout [String: Value]
    ) {
        guard let value else { return }
        if let first = known[product] {
            if first != value { disputed.insert(product) }
        } else {
            known[product] = value
            firstStatements.insert(index)
        }
    }

    private static func stated(
        _ fact: Fact<Written>
    ) -> (product: String, kind: ProductKind?, group: String?)? {
        switch fact {
        case .receiptListed(let row): (row.product.name, row.kind, row.group?.name)
        case .renewalStarted(let said): (said.product.name, .autoRenewable, said.group?.name)
        case .renewalRenewed(let said): (said.product.name, .autoRenewable, said.group?.name)
        case _: nil
        }
    }
}
