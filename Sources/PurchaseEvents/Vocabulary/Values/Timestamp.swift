/// An instant in milliseconds since 1970-01-01T00:00:00Z, in the proleptic Gregorian calendar.
///
/// A log can hold the years 0000 to 9999. Arithmetic saturates at the ends of `Int64`, so no input
/// can cause a trap.
public struct Timestamp: BitwiseCopyable, Hashable, Comparable, Sendable {
    /// The milliseconds since 1970; negative before.
    public var milliseconds: Int64

    /// Creates the instant `milliseconds` after 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// 0000-01-01T00:00:00.000Z, the earliest instant that a log can hold.
    public static let earliest = Timestamp(milliseconds: -62_167_219_200_000)
    /// 9999-12-31T23:59:59.999Z, the latest instant that a log can hold.
    public static let latest = Timestamp(milliseconds: 253_402_300_799_999)

    /// Whether a log can hold this instant.
    public var isWritable: Bool { self >= .earliest && self <= .latest }

    /// Whether the left instant is earlier.
    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant `step` milliseconds later, or earlier if negative; saturates.
    public func advanced(byMilliseconds step: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds.addingSaturating(step))
    }

    /// The milliseconds from this instant to another; saturates.
    public func distance(to other: Timestamp) -> Int64 {
        other.milliseconds.subtractingSaturating(milliseconds)
    }
}

extension Timestamp {
    /// A second in milliseconds.
    public static let second: Int64 = 1_000
    /// A minute in milliseconds.
    public static let minute: Int64 = 60_000
    /// An hour in milliseconds.
    public static let hour: Int64 = 3_600_000
    /// A day of 24 hours in milliseconds.
    public static let day: Int64 = 86_400_000
}

/// A day of the proleptic Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
    /// The year, 0 to 9999 in a log; the month, 1 to 12; the day, 1 to 31.
    package let year: Int64, month: Int64, day: Int64

    package init?(year: Int64, month: Int64, day: Int64) {
        guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CalendarDay.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day `days` after 1970-01-01, clamped to 10^12 days before or after.
    package init(daysSince1970 days: Int64) {
        // The calendar repeats every 146,097 days, which are 400 years.
        let farthest: Int64 = 1_000_000_000_000
        let shifted = min(max(days, -farthest), farthest) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        // Months alternate between 31 and 30 days, except that July and August both have 31.
        return 30 + (month + month / 8) % 2
    }
}
