/// Reads and writes times of RFC 3339 (event-log.md, 1).
extension Timestamp {
    /// Reads a time such as `2026-02-20T09:00:00.000Z`, also with an offset or 0 to 9 decimals;
    /// `nil` for any other text.
    ///
    /// Decimals past the third are dropped, and second 60 is the next second. A day that doesn't
    /// exist, or an instant outside the years 0000 to 9999, gives `nil`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let read = bytes.withUnsafeBytes({ Timestamp(rfc3339: $0) }) else { return nil }
        self = read
    }

    /// Reads a time, or a day alone (`2026-02-20`), which means its first instant in UTC.
    package init?(dayOrTime text: String) {
        if text.utf8.count == 10 {
            self.init(text + "T00:00:00Z")
        } else {
            self.init(text)
        }
    }

    /// The canonical text: UTC, with three decimals and `Z`.
    ///
    /// An instant outside the range of a log is written as the nearest instant in that range.
    public var text: String {
        String(unsafeUninitializedCapacity: 24) { bytes in
            guard let place = bytes.baseAddress else { return 0 }
            write(to: place)
            return 24
        }
    }

    func write(to place: UnsafeMutablePointer<UInt8>) {
        let writable = min(max(self, .earliest), .latest)
        var days = writable.milliseconds / Timestamp.day
        var rest = writable.milliseconds % Timestamp.day
        if rest < 0 {
            rest += Timestamp.day
            days -= 1
        }
        let date = CalendarDay(daysSince1970: days)
        @inline(__always)
        func pair(_ value: Int64, at offset: Int, _ mark: Unicode.Scalar) {
            let tens = UInt8(truncatingIfNeeded: value / 10)
            let ones = UInt8(truncatingIfNeeded: value) &- tens &* 10
            place[offset] = UInt8(ascii: "0") &+ tens
            place[offset + 1] = UInt8(ascii: "0") &+ ones
            place[offset + 2] = UInt8(ascii: mark)
        }
        // The second pair of the year overwrites the mark after the first pair.
        pair(date.year / 100, at: 0, "-")
        pair(date.year % 100, at: 2, "-")
        pair(date.month, at: 5, "-")
        pair(date.day, at: 8, "T")
        pair(rest / Timestamp.hour, at: 11, ":")
        pair(rest / Timestamp.minute % 60, at: 14, ":")
        pair(rest / Timestamp.second % 60, at: 17, ".")
        pair(rest % Timestamp.second / 10, at: 20, "Z")
        place[22] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        place[23] = UInt8(ascii: "Z")
    }

    /// Reads the 24 bytes `YYYY-MM-DDTHH:MM:SS.mmmZ`, eight at a time; `nil` for any other form.
    @inline(__always)
    init?(canonical bytes: UnsafeRawBufferPointer, _ cache: TimeCache) {
        guard bytes.count == 24 else { return nil }
        let (date, clock) = (bytes.word(at: 0), bytes.word(at: 8))
        // `:SS.mmmZ`, exclusive-ored with `:00.000Z`.
        let rest = bytes.word(at: 16) ^ 0x5A30_3030_2E30_303A
        guard rest & 0xFF00_0000_FF00_00FF == 0, Digits.others(in: rest) == 0,
            let minutes = cache.minutes(
                of: date, clock, or: { Timestamp.minutes(date, clock, cache) })
        else { return nil }
        let pairs = Timestamp.pairs(rest)
        let second = Timestamp.pair(pairs, 1)
        guard second < 60 else { return nil }
        let thousandths = Timestamp.pair(pairs, 4) &* 10 &+ Int64(rest >> 48 & 0xF)
        milliseconds = (minutes &* 60 &+ second) &* 1_000 &+ thousandths
    }

    /// Converts the bytes `YYYY-MM-` and `DDTHH:MM`; `nil` if they aren't a minute.
    @inline(never)
    private static func minutes(_ date: UInt64, _ clock: UInt64, _ cache: TimeCache) -> Int64? {
        let date = date ^ 0x2D30_302D_3030_3030
        let clock = clock ^ 0x3030_3A30_3054_3030
        guard (date & 0xFF00_00FF_0000_0000) | (clock & 0x0000_FF00_00FF_0000) == 0,
            Digits.others(in: date) | Digits.others(in: clock) == 0
        else { return nil }
        let (dates, clocks) = (pairs(date), pairs(clock))
        // The dashes of the date are zeros here, which leaves room for the day.
        let digits = date | (clock & 0xF) << 32 | (clock >> 8 & 0xF) << 56
        let known = cache.days(of: digits) {
            CalendarDay(
                year: pair(dates, 0) &* 100 &+ pair(dates, 2), month: pair(dates, 5),
                day: pair(clocks, 0))
        }
        let (hour, minute) = (pair(clocks, 3), pair(clocks, 6))
        guard let known, hour < 24, minute < 60 else { return nil }
        return (known &* 24 &+ hour) &* 60 &+ minute
    }

    /// In each byte, ten times its digit plus the next digit: below 100, so no byte carries.
    @inline(__always)
    private static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }

    @inline(__always)
    private static func pair(_ pairs: UInt64, _ byte: UInt64) -> Int64 {
        Int64(truncatingIfNeeded: pairs >> (byte &* 8) & 0xFF)
    }

    /// Reads the bytes of an RFC 3339 time in any form that readers accept; `nil` for other bytes.
    init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        var reader = TimeReader(bytes)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
            reader.take("-"), let dayOfMonth = reader.digits(2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth),
            reader.take("T") || reader.take("t"), let hour = reader.digits(2), reader.take(":"),
            let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2),
            hour < 24, minute < 60, second <= 60, let thousandths = reader.fraction(atMost: 9),
            let offset = reader.offset(), reader.isAtEnd
        else { return nil }
        let minutes = (day.daysSince1970 * 24 + hour) * 60 + minute - offset
        milliseconds = (minutes * 60 + second) * 1_000 + thousandths
        guard isWritable else { return nil }
    }
}
