/// Reading and writing RFC 3339 (event-log.md, 1).
extension Timestamp {
    /// Reads `2026-02-20T09:00:00.000Z`, with an offset and 0 to 9 decimals too; `nil` otherwise.
    ///
    /// Decimals past the third are cut; second 60 is the next second; a day that doesn't exist,
    /// or an instant outside the years 0000 to 9999, is `nil`.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let read = bytes.withUnsafeBytes({ Timestamp(rfc3339: $0) }) else { return nil }
        self = read
    }

    /// Reads a time, or a day alone (`2026-02-20`), which is its first instant in UTC.
    public init?(dayOrTime text: String) {
        if text.utf8.count == 10 {
            self.init(text + "T00:00:00Z")
        } else {
            self.init(text)
        }
    }

    /// The canonical text: UTC, three decimals and `Z`.
    ///
    /// An instant that a log can't hold is written as the nearest that it can.
    public var text: String {
        String(unsafeUninitializedCapacity: 24) { bytes in
            guard let place = bytes.baseAddress else { return 0 }
            write(to: place)
            return 24
        }
    }

    /// Writes the 24 bytes of ``text``.
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
        // The second pair of the year overwrites the first one's mark.
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

    /// The 24 bytes `YYYY-MM-DDTHH:MM:SS.mmmZ` of an ordinary instant, eight bytes at a time; `nil`
    /// for every other form.
    @inline(__always)
    init?(canonical bytes: UnsafeRawBufferPointer, _ days: DayCache) {
        guard bytes.count == 24 else { return nil }
        // "YYYY-MM-", "DDTHH:MM" and ":SS.mmmZ", each exclusive-or'ed with its own zeros.
        let date = bytes.paddedWord(at: 0) ^ 0x2D30_302D_3030_3030
        let clock = bytes.paddedWord(at: 8) ^ 0x3030_3A30_3054_3030
        let rest = bytes.paddedWord(at: 16) ^ 0x5A30_3030_2E30_303A
        let marks: (UInt64, UInt64, UInt64) = (
            0xFF00_00FF_0000_0000, 0x0000_FF00_00FF_0000, 0xFF00_0000_FF00_00FF
        )
        let wrongMarks = (date & marks.0) | (clock & marks.1) | (rest & marks.2)
        // A digit is now 0 to 9: adding 0x76 sets the high bit of anything more.
        let nines: UInt64 = 0x7676_7676_7676_7676
        let tall = (date &+ nines) | (clock &+ nines) | (rest &+ nines)
        let high: UInt64 = 0x8080_8080_8080_8080
        guard wrongMarks == 0, (tall | date | clock | rest) & high == 0 else { return nil }
        // In each byte ten times its digit and the next: below 100, so nothing is carried.
        let pairs = (
            date &* 10 &+ date >> 8, clock &* 10 &+ clock >> 8, rest &* 10 &+ rest >> 8
        )
        @inline(__always)
        func pair(_ pairs: UInt64, _ byte: UInt64) -> Int64 {
            Int64(truncatingIfNeeded: pairs >> (byte &* 8) & 0xFF)
        }
        // The dashes of the date are zeros now, and make room for the day.
        let digits = date | (clock & 0xF) << 32 | (clock >> 8 & 0xF) << 56
        guard
            let day = days.days(
                of: digits,
                or: {
                    let year = pair(pairs.0, 0) &* 100 &+ pair(pairs.0, 2)
                    return CalendarDay(
                        year: year, month: pair(pairs.0, 5), day: pair(pairs.1, 0))
                })
        else { return nil }
        let hour = pair(pairs.1, 3)
        let minute = pair(pairs.1, 6)
        let second = pair(pairs.2, 1)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        let thousandths = pair(pairs.2, 4) &* 10 &+ Int64(rest >> 48 & 0xF)
        let seconds = ((day &* 24 &+ hour) &* 60 &+ minute) &* 60 &+ second
        milliseconds = seconds &* 1_000 &+ thousandths
    }

    /// Reads the bytes of an RFC 3339 time in every form that a reader takes; `nil` where they are
    /// none.
    init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        var reader = DigitReader(bytes: bytes)
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
            reader.take("-"), let dayOfMonth = reader.digits(2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth),
            reader.take("T") || reader.take("t"), let hour = reader.digits(2), reader.take(":"),
            let minute = reader.digits(2), reader.take(":"), let second = reader.digits(2),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var thousandths: Int64 = 0
        if reader.take(".") {
            guard let fraction = reader.fraction() else { return nil }
            thousandths = fraction
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        let minutes = (day.daysSince1970 * 24 + hour) * 60 + minute - offset
        milliseconds = (minutes * 60 + second) * 1_000 + thousandths
        guard isWritable else { return nil }
    }
}

/// Reads digits and marks from the bytes of a time.
private struct DigitReader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int64? {
        guard position + count <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[position..<position + count] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        position += count
        return value
    }

    /// The 1 to 9 decimals after the point, cut to thousandths.
    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let digit = digits(1) {
            count += 1
            guard count <= 9 else { return nil }
            if count <= 3 { value = value * 10 + digit }
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 3 - count) { value *= 10 }
        return value
    }

    /// `Z` or an offset such as `+01:00`, in minutes east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}
