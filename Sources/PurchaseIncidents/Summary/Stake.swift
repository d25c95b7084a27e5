import PurchaseEvents
import PurchaseProjections

/// The money at stake in findings: sums in thousandths by currency code.
///
/// Only prices in a known currency count. Nothing is at stake in a note, or for a purchase of
/// another environment than the log's (G9.3).
public struct Stake: Hashable, Sendable {
    /// The sums in thousandths of a currency unit, by currency code.
    public private(set) var amounts: [String: Int128] = [:]

    /// Creates an empty sum.
    public init() {}

    /// The price of a finding's transaction if violating the rule costs somebody money; otherwise
    /// empty.
    ///
    /// - Parameters:
    ///   - finding: The finding.
    ///   - facts: The facts of the finding's whole log.
    public init(of finding: Finding, _ facts: Facts) {
        guard let transaction = finding.key.flatMap({ facts.transaction(named: $0) }) else {
            self.init()
            return
        }
        self.init(of: transaction, rule: finding.rule, level: finding.level, facts)
    }

    /// The price of a transaction if findings of a rule at this level cost somebody money;
    /// otherwise empty.
    init(of transaction: TransactionHandle, rule: String, level: Level, _ facts: Facts) {
        guard level != .note, let side = MoneySide.of(rule: rule), side != .nobody,
            facts.isInLogEnvironment(transaction), let price = facts[transaction].price,
            let currency = price.currency
        else { return }
        // A negative price, which a store may state as a correction, is nobody's loss.
        guard price.thousandths > 0 else { return }
        amounts[currency.code] = Int128(price.thousandths)
    }

    /// Whether no known price is at stake.
    public var isEmpty: Bool { amounts.isEmpty }

    /// The sums by currency code, in alphabetical order.
    public var sorted: [(currency: String, amount: Int128)] {
        amounts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Adds another sum; fewer than 2^32 prices can't overflow.
    public mutating func add(_ other: Stake) { amounts.merge(other.amounts, uniquingKeysWith: +) }
}
