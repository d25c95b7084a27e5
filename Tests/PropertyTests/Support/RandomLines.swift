import PurchaseEvents
import PurchaseSimulation

/// A log of random lines of every type about few names, so that everything meets everything.
///
/// The lines are well formed, and otherwise say anything. Each log prefers a few types, so that
/// some of its lines follow each other as no app would have it. A name says what it stands for:
/// `coins` is a consumable wherever a line states its kind, and the transactions of a family mostly
/// buy one product.
struct RandomLines {
    let lines: [String]

    /// - Parameter types: The types to draw from; by default all.
    init(
        _ choices: any ChoiceSource, upTo most: Int64,
        types: [EventType] = EventType.allCases.filter { $0 != .logOpened }
    ) {
        var lines = [#"{"seq":1,"at":"\#(RandomLines.time(0))","type":"log.opened","schema":1}"#]
        let preferred = (0..<8).map { _ in choices.pick(types) }
        for number in 1...choices.number(in: 1...most) {
            choices.mark()
            let type = choices.happens(oncePer: 4) ? choices.pick(types) : choices.pick(preferred)
            var line = RandomLine(type, number, choices)
            let members = (EventType.envelope + type.schema).compactMap { line.member($0) }
            lines.append("{\(members.joined(separator: ","))}")
        }
        self.lines = lines
    }

    /// The bytes of the log.
    var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }

    /// The decoded lines.
    var events: [Event<Written>] {
        let decoder = LineDecoder()
        return lines.compactMap { decoder.event(on: Array($0.utf8)[...]) }
    }

    /// A time as a number of hours since the log began.
    static func time(_ hours: Int64) -> String {
        Timestamp(milliseconds: 1_767_225_600_000 + hours * Timestamp.hour).text
    }
}

/// One random line.
private struct RandomLine {
    private let type: EventType
    private let number: Int64
    private let choices: any ChoiceSource
    /// The product that the line's transaction buys.
    private var product = RandomLine.products[0]
    /// The transaction that the line names last.
    private var transaction = ""
    /// Whether a finish or removal names a payment.
    private let namesPayment: Bool

    /// The products: their kinds and the transactions that buy them.
    private static let products: [(name: String, kind: ProductKind, transactions: [String])] = [
        ("coins", .consumable, ["c1", "c2", "c3"]), ("songs", .nonConsumable, ["s1", "s2"]),
        ("paper", .autoRenewable, ["p1", "p2", "p3"]),
        ("gold", .autoRenewable, ["p3", "g1", "g2"]),
        ("season", .nonRenewing, ["n1", "n2"]),
    ]

    init(_ type: EventType, _ number: Int64, _ choices: any ChoiceSource) {
        (self.type, self.number, self.choices) = (type, number, choices)
        product = choices.pick(RandomLine.products)
        namesPayment = choices.happens(oncePer: 4)
    }

    /// A key with a random value; `nil` leaves the key out.
    mutating func member(_ field: Field) -> String? {
        guard let value = value(field) else { return nil }
        return "\"\(field.key.wireName)\":\(value)"
    }

    private mutating func value(_ field: Field) -> String? {
        switch field.key {
        case .seq: return "\(number + 1)"
        case .type: return "\"\(type.wireName)\""
        case .at: return "\"\(RandomLines.time(number * 6))\""
        // Environments meet in tests of their own.
        case .environment, .id,
            .cancelledAt where !field.isRequired:
            return nil
        case .kind: return "\"\(product.kind.rawValue)\""
        case .transaction where isOfEntry: return namesPayment ? nil : "\"\(name(.transaction))\""
        case .payment where isOfEntry: return namesPayment ? "\"\(name(.payment))\"" : nil
        case .group where type == .contentPublished: return nil
        // One payment buys a transaction, whoever states it.
        case .payment where type == .queuePurchased && choices.happens(oncePer: 2):
            return "\"payment-\(transaction.hasSuffix("1") ? 0 : 1)\""
        case .payment where type == .queuePurchased: return nil
        case .expiresAt where !field.isRequired && product.kind != .autoRenewable: return nil
        case _: break
        }
        guard field.isRequired || choices.happens(oncePer: 2) else { return nil }
        switch field.kind {
        case .name(let role): return "\"\(name(role))\""
        case .id, .text: return "\"\(choices.pick(["interrupted", "network"]))\""
        case .time:
            return "\"\(RandomLines.time(choices.number(in: 0...number * 12)))\""
        case .flag: return "\(choices.happens(oncePer: 2))"
        case .currency: return "\"EUR\""
        case .integer(let range):
            return "\(min(range.upperBound, max(range.lowerBound, choices.number(in: 0...3))))"
        case .word(let words): return "\"\(choices.pick(words))\""
        }
    }

    private var isOfEntry: Bool { type == .queueFinished || type == .queueRemoved }

    private mutating func name(_ role: NameRole) -> String {
        switch role {
        case .product:
            // A line of a subscription may be stated with either of its plans.
            let isGold = product.kind == .autoRenewable && choices.happens(oncePer: 8)
            return isGold ? "gold" : product.name
        case .transaction:
            if choices.happens(oncePer: 8) { product = choices.pick(RandomLine.products) }
            transaction = choices.pick(product.transactions)
            return transaction
        case _: return "\(role)-\(choices.choose(below: 2))"
        }
    }
}
