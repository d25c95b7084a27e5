import PurchaseEvents
import PurchaseProjections

/// Sums of money by currency, in thousandths of its unit.
public struct Stake: Hashable, Sendable {
    /// The sum in each currency.
    public private(set) var amounts: [Currency: Int128] = [:]

    /// Creates a sum of nothing.
    public init() {}

    /// Whether there is no money.
    public var isEmpty: Bool { amounts.isEmpty }

    /// Adds an amount.
    public mutating func add(_ thousandths: Int64, of currency: Currency) {
        amounts[currency, default: 0] += Int128(thousandths)
    }

    /// The amounts by currency code, within 64 bits, in the order of the codes.
    public var byCode: [(code: String, thousandths: Int64)] {
        amounts.sorted { $0.key.code < $1.key.code }.map {
            ($0.key.code, Int64(clamping: $0.value))
        }
    }
}
