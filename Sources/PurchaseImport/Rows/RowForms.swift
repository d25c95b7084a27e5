import PurchaseEvents

/// The unit of an amount that is a whole number; an amount with decimals is in units.
public enum AmountUnit: String, CaseIterable, Hashable, Sendable {
    /// Units of the currency.
    case units
    /// Hundredths of a unit.
    case cents
    /// Thousandths of a unit, as in the log.
    case thousandths

    fileprivate var factor: Int64 {
        switch self {
        case .units: 1_000
        case .cents: 10
        case .thousandths: 1
        }
    }
}

/// The forms of values in the rows of one mapping.
struct RowForms: Sendable {
    let times: RowTime
    let amounts: AmountUnit

    static func isAmount(_ key: Key) -> Bool { key == .price || key == .commitmentPrice }

    /// An amount in thousandths, such as `4.99` or `4990`; `nil` for another text or a larger
    /// amount.
    ///
    /// More than three decimals are rounded to the nearest thousandth, halves away from zero:
    /// exports write floats, such as `19.989999999999998`.
    func amount(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ RowForms.number($0) }) else { return nil }
        var (factor, decimals) = (amounts.factor, Int64(0))
        if parts.count == 2 {
            guard RowForms.number(parts[1]) != nil else { return nil }
            factor = AmountUnit.units.factor
            decimals = Int64((parts[1] + "00").prefix(3)) ?? 0
            if let next = parts[1].dropFirst(3).first, next >= "5" { decimals += 1 }
        }
        let (thousandths, overflow) = whole.multipliedReportingOverflow(by: factor)
        guard !overflow, thousandths < 1 << 53 - 1_000 else { return nil }
        return (isNegative ? -1 : 1) * (thousandths + decimals)
    }

    /// A number of at most 18 digits without a sign; longer decimals are checked but not counted.
    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(digits.prefix(18))
    }
}
