/// A currency code of ISO 4217: three capital letters.
public struct Currency: BitwiseCopyable, Hashable, Sendable {
    /// The letters in the low three bytes, the first letter highest.
    public let rawValue: UInt32

    package init?(_ letters: some Sequence<UInt8>) {
        var value: UInt32 = 0
        var count = 0
        for letter in letters {
            guard letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "Z"), count < 3 else {
                return nil
            }
            value = value << 8 | UInt32(letter)
            count += 1
        }
        guard count == 3 else { return nil }
        rawValue = value
    }

    /// Creates a currency from 0, which gives `nil`, or from the raw value of a currency.
    package init?(stored rawValue: UInt32) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a currency from a code such as `EUR`; `nil` unless the code is three capital
    /// letters.
    public init?(code: String) { self.init(code.utf8) }

    package var letters: [UInt8] { [16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }

    /// The three letters as text.
    public var code: String { String(decoding: letters, as: UTF8.self) }
}

/// An amount of money in thousandths of a currency's unit, as the App Store signs it (G2.4).
public struct Money: Hashable, Sendable {
    /// Thousandths of the unit: 4,990 is 4.99.
    public var thousandths: Int64
    /// The currency of the amount; money is never converted.
    public var currency: Currency

    /// Creates an amount of a currency.
    public init(thousandths: Int64, currency: Currency) {
        self.thousandths = thousandths
        self.currency = currency
    }

    /// The sum of two amounts; `nil` if the currencies differ or the sum overflows.
    public func adding(_ other: Money) -> Money? {
        guard currency == other.currency else { return nil }
        let (sum, overflow) = thousandths.addingReportingOverflow(other.thousandths)
        return overflow ? nil : Money(thousandths: sum, currency: currency)
    }
}
