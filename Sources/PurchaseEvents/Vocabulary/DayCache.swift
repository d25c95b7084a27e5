/// The days that the last times of a log fell on, by their digits: most fall on one of a few.
///
/// A cache belongs to one reader at a time, who deallocates it.
struct DayCache: @unchecked Sendable {
    private struct Entry {
        var digits: UInt64
        var days: Int64
    }

    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: 16)
        // No date has these digits.
        entries.initialize(repeating: Entry(digits: .max, days: 0), count: 16)
    }

    func deallocate() { entries.deallocate() }

    /// The days from 1970-01-01 to the day of eight digits, one a byte; `nil` where there is none.
    @inline(__always)
    func days(of digits: UInt64, or day: () -> CalendarDay?) -> Int64? {
        // The second digits of the month and of the day tell days that are near apart.
        let entry = entries + Int((digits >> 56 ^ digits >> 48) & 0xF)
        if entry.pointee.digits == digits { return entry.pointee.days }
        guard let day = day() else { return nil }
        entry.pointee = Entry(digits: digits, days: day.daysSince1970)
        return entry.pointee.days
    }
}
