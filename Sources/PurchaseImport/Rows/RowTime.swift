import PurchaseEvents

/// Reads the times of rows: RFC 3339, the forms that databases write, and numbers since 1970.
///
/// Databases write a space instead of the `T`, omit the zone, or write only a date. A number below
/// 100,000,000,000 is in seconds (up to the year 5138), any other in milliseconds (from 1973 on).
struct RowTime {
    /// The zone of times without a zone, in minutes east of UTC; `nil` refuses such times.
    var zone: Int64?

    static let expected =
        "an RFC 3339 time such as 2026-02-20T09:00:00Z, or seconds or milliseconds since 1970"

    private static let firstMilliseconds: Int64 = 100_000_000_000

    /// A zone such as `Z`, `+01:00`, `+0100` or `+01`, in minutes east of UTC; `nil` for others.
    static func zone(_ text: [UInt8]) -> Int64? {
        text.withUnsafeBytes { bytes in
            var reader = TimeReader(bytes)
            guard let zone = reader.zone(), reader.isAtEnd else { return nil }
            return zone
        }
    }

    /// The instant of a text, or `nil` if it isn't a time or lacks a required zone.
    func time(_ bytes: UnsafeRawBufferPointer) -> Timestamp? {
        var reader = TimeReader(bytes)
        let time = reader.isDate ? civilTime(&reader) : RowTime.count(&reader)
        guard let time, reader.isAtEnd, time.isWritable else { return nil }
        return time
    }

    func problem(_ bytes: UnsafeRawBufferPointer) -> String {
        let seen = EscapedText.excerpt(bytes)
        if zone == nil, RowTime(zone: 0).time(bytes) != nil {
            return "expected a time zone, seen `\(seen)`: pass --zone, such as --zone=+00:00"
        }
        return "expected \(RowTime.expected), seen `\(seen)`"
    }

    /// Reads a date or time such as `2026-02-20` or `2026-02-20T09:00:00.123+01:00`.
    private func civilTime(_ reader: inout TimeReader) -> Timestamp? {
        guard let year = reader.digits(4), reader.take("-"), let month = reader.digits(2),
            reader.take("-"), let dayOfMonth = reader.digits(2),
            let day = CalendarDay(year: year, month: month, day: dayOfMonth)
        else { return nil }
        var (hour, minute, second, thousandths) = (Int64(0), Int64(0), Int64(0), Int64(0))
        if reader.take("T") || reader.take("t") || reader.take(" ") {
            guard let hours = reader.digits(2), reader.take(":"), let minutes = reader.digits(2),
                hours < 24, minutes < 60
            else { return nil }
            (hour, minute) = (hours, minutes)
            if reader.take(":") {
                guard let seconds = reader.digits(2), seconds <= 60,
                    let fraction = reader.fraction()
                else { return nil }
                (second, thousandths) = (seconds, fraction)
            }
        }
        _ = reader.take(" ")
        guard let east = reader.isAtEnd ? zone : reader.zone() else { return nil }
        let minutes = (day.daysSince1970 * 24 + hour) * 60 + minute - east
        return Timestamp(milliseconds: (minutes * 60 + second) * 1_000 + thousandths)
    }

    /// Reads seconds, which may have a fraction, or milliseconds.
    private static func count(_ reader: inout TimeReader) -> Timestamp? {
        let isNegative = reader.take("-")
        guard let count = reader.integer(), let fraction = reader.fraction() else { return nil }
        guard count < firstMilliseconds else {
            return isNegative ? nil : Timestamp(milliseconds: count)
        }
        let milliseconds = count * 1_000 + fraction
        return Timestamp(milliseconds: isNegative ? -milliseconds : milliseconds)
    }
}

extension TimeReader {
    fileprivate var isDate: Bool { bytes.count >= 10 && bytes[4] == UInt8(ascii: "-") }

    /// Reads a number of 1 to 15 digits.
    fileprivate mutating func integer() -> Int64? {
        let start = position
        var value: Int64 = 0
        while let digit = digit() {
            guard position - start <= 15 else { return nil }
            value = value * 10 + digit
        }
        return position > start ? value : nil
    }

    /// Reads `Z`, `UTC`, `+01:00`, `+0100` or `+01`; returns minutes east of UTC.
    fileprivate mutating func zone() -> Int64? {
        if take("Z") || take("z") { return 0 }
        if take("U") { return take("T") && take("C") ? 0 : nil }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), hours < 24 else { return nil }
        var minutes: Int64 = 0
        if !isAtEnd {
            _ = take(":")
            guard let more = digits(2), more < 60 else { return nil }
            minutes = more
        }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}
