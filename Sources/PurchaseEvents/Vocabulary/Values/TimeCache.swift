/// A cache of converted days and minutes, by their digits; most times in a log share a few of them.
/// Only one reader may use the cache, and deallocates it.
struct TimeCache {
    private struct Day {
        var digits: UInt64
        var days: Int64
    }

    private struct Minute {
        var date: UInt64
        var clock: UInt64
        var minutes: Int64
    }

    private let days: UnsafeMutablePointer<Day>
    private let minutes: UnsafeMutablePointer<Minute>

    init() {
        days = .allocate(capacity: 16)
        minutes = .allocate(capacity: 16)
        // No date has the digits `.max`; the first minute is `1970-01-01T00:00`.
        days.initialize(repeating: Day(digits: .max, days: 0), count: 16)
        let first = Minute(date: 0x2D31_302D_3037_3931, clock: 0x3030_3A30_3054_3130, minutes: 0)
        minutes.initialize(repeating: first, count: 16)
    }

    func deallocate() {
        days.deallocate()
        minutes.deallocate()
    }

    /// The days from 1970 to the day of eight digits, one in each byte; `nil` if it doesn't exist.
    @inline(__always)
    func days(of digits: UInt64, or day: () -> CalendarDay?) -> Int64? {
        // Nearby days differ in the last digit of the month or of the day.
        let entry = days + Int((digits >> 56 ^ digits >> 48) & 0xF)
        if entry.pointee.digits == digits { return entry.pointee.days }
        guard let day = day() else { return nil }
        entry.pointee = Day(digits: digits, days: day.daysSince1970)
        return entry.pointee.days
    }

    /// The minutes from 1970 to that of the bytes `YYYY-MM-` and `DDTHH:MM`, or `nil`.
    @inline(__always)
    func minutes(of date: UInt64, _ clock: UInt64, or minutes: () -> Int64?) -> Int64? {
        // Nearby minutes differ in the digits of the minute.
        let entry = self.minutes + Int((clock >> 56 ^ clock >> 47) & 0xF)
        if entry.pointee.date == date, entry.pointee.clock == clock { return entry.pointee.minutes }
        guard let minutes = minutes() else { return nil }
        entry.pointee = Minute(date: date, clock: clock, minutes: minutes)
        return minutes
    }
}
