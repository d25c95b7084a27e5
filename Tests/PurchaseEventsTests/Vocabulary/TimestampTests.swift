import TestSupport
import Testing

@testable import PurchaseEvents

struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1970-01-01T00:00:00.000Z", 0),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2026-02-20T09:00:00.000Z", 1_771_578_000_000),
            ("2026-02-20t09:00:00.000z", 1_771_578_000_000),
            ("2026-02-20T10:30:00+01:30", 1_771_578_000_000),
            ("2026-02-19T22:00:00-11:00", 1_771_578_000_000),
            ("2026-02-20T09:00:00-00:00", 1_771_578_000_000),
            ("2026-02-21T08:59:00+23:59", 1_771_578_000_000),
            ("2026-02-20T09:00:00.1Z", 1_771_578_000_100),
            ("2026-02-20T09:00:00.12Z", 1_771_578_000_120),
            ("2026-02-20T09:00:00.1239Z", 1_771_578_000_123),
            ("2026-02-20T09:00:00.000999999Z", 1_771_578_000_000),
            ("2026-02-20T09:00:00.999999999+00:00", 1_771_578_000_999),
            ("1969-12-31T23:59:59.9999Z", -1),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2016-12-31T23:59:60.500Z", 1_483_228_800_500),
            ("2026-02-20T08:59:60.000Z", 1_771_578_000_000),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("0000-02-29T00:00:00.000Z", -62_162_121_600_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("0000-01-01T01:00:00+01:00", -62_167_219_200_000),
            ("9999-12-31T22:59:59.999-01:00", 253_402_300_799_999),
        ] as [(String, Int64)])
    func `a valid time is parsed`(_ text: String, _ milliseconds: Int64) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "Z", "2026", "2026-02-20", "2026-02-20T09:00Z", "2026-02-20T09:00:00",
        "2026-02-20 09:00:00Z", "2026-02-20T09:00:00.Z", "2026-02-20T09:00:00,000Z",
        "2026-02-20T09:00:00.0000000000Z", "2026-02-20T09:00:00.000ZZ", " 2026-02-20T09:00:00Z",
        "2026-02-20T09:00:00Z ", "2026-02-20T09:00:00.000Z\0", "2026-02-20T09:00:00+0100",
        "2026-02-20T09:00:00+01", "2026-02-20T09:00:00+24:00", "2026-02-20T09:00:00+01:60",
        "2026-02-20T09:00:00.000+1:00", "2026-02-20T24:00:00.000Z", "2026-02-20T09:60:00.000Z",
        "2026-02-20T09:00:61.000Z", "2026-00-20T09:00:00.000Z", "2026-13-20T09:00:00.000Z",
        "2026-02-00T09:00:00.000Z", "2026-02-29T09:00:00.000Z", "2026-02-30T09:00:00.000Z",
        "2026-04-31T09:00:00.000Z", "2026-01-32T09:00:00.000Z", "1900-02-29T00:00:00.000Z",
        "2100-02-29T00:00:00.000Z", "2026-2-20T09:00:00.000Z", "26-02-20T09:00:00.000Z",
        "+2026-02-20T09:00:00Z", "-001-02-20T09:00:00.000Z", "12026-02-20T09:00:00.00Z",
        "2026-02-20T-9:00:00.000Z", "2026-02-20T09:00:00.-00Z", "2026/02/20T09:00:00.000Z",
        "2026-02-20T09.00.00.000Z", "2026-02-20T09:00:00:000Z", "２026-02-20T09:00:00Z",
        "0000-01-01T00:00:00.000+00:01", "9999-12-31T23:59:60.000Z",
        "9999-12-31T23:59:59.999-00:01",
    ])
    func `an invalid time is refused`(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [1900, 2100, 2200, 2300, 1, 100, 2025, 2026, 2027])
    func `a common year has no 29 February`(_ year: Int64) {
        #expect(CalendarDay(year: year, month: 2, day: 28) != nil)
        #expect(CalendarDay(year: year, month: 2, day: 29) == nil)
    }

    @Test(arguments: [0, 4, 400, 1600, 2000, 2024, 2400, 9996])
    func `a leap year has a 29 February`(_ year: Int64) {
        #expect(CalendarDay(year: year, month: 2, day: 29) != nil)
        #expect(CalendarDay(year: year, month: 2, day: 30) == nil)
    }

    @Test(arguments: [(-1, 1, 1), (10_000, 1, 1), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)])
    func `a day outside the calendar is refused`(_ day: (Int64, Int64, Int64)) {
        #expect(CalendarDay(year: day.0, month: day.1, day: day.2) == nil)
    }

    @Test func `every day of 400 years follows the previous one and is parsed as written`() {
        var days = CalendarDay(year: 1900, month: 1, day: 1)?.daysSince1970 ?? 0
        #expect(days == -25_567)
        for year in Int64(1900)..<2300 {
            let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in zip(Int64(1)..., lengths) {
                for dayOfMonth in 1...length {
                    let day = CalendarDay(daysSince1970: days)
                    let time = Timestamp(milliseconds: days * Timestamp.day + 86_399_999)
                    guard day == CalendarDay(year: year, month: month, day: dayOfMonth),
                        day.daysSince1970 == days, Timestamp(time.text) == time
                    else {
                        Issue.record("\(year)-\(month)-\(dayOfMonth)")
                        return
                    }
                    days += 1
                }
            }
        }
        #expect(days == -25_567 + 146_097)
    }

    @Test func `a time that a log can't hold is written as the nearest one`() {
        #expect(Timestamp(milliseconds: .min).text == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: .max).text == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.earliest.text == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp.latest.text == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.earliest.isWritable)
        #expect(Timestamp.latest.isWritable)
        #expect(!Timestamp.earliest.advanced(byMilliseconds: -1).isWritable)
        #expect(!Timestamp.latest.advanced(byMilliseconds: 1).isWritable)
    }

    @Test func `arithmetic saturates`() {
        let (first, last) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        #expect(first.advanced(byMilliseconds: -1) == first)
        #expect(first.advanced(byMilliseconds: .min) == first)
        #expect(last.advanced(byMilliseconds: 1) == last)
        #expect(last.advanced(byMilliseconds: .max) == last)
        #expect(first.advanced(byMilliseconds: .max).milliseconds == -1)
        #expect(first.distance(to: last) == .max)
        #expect(last.distance(to: first) == .min)
        #expect(Timestamp(milliseconds: 5).distance(to: Timestamp(milliseconds: 2)) == -3)
        #expect(CalendarDay(daysSince1970: .max).daysSince1970 == 1_000_000_000_000)
        #expect(CalendarDay(daysSince1970: .min).daysSince1970 == -1_000_000_000_000)
    }

    @Test func `a day without a time is its first instant`() {
        #expect(Timestamp(dayOrTime: "2026-02-20")?.text == "2026-02-20T00:00:00.000Z")
        #expect(Timestamp(dayOrTime: "2026-02-20T09:00:00Z")?.text == "2026-02-20T09:00:00.000Z")
        #expect(Timestamp(dayOrTime: "2026-02-30") == nil)
        #expect(Timestamp(dayOrTime: "2026-2-20") == nil)
        #expect(Timestamp(dayOrTime: "") == nil)
    }

    /// A fourth decimal forces the general parser and is dropped, so it changes nothing else.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `both parsers agree on random texts`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let marks = Array("0123456789-:.TZtz+ 60\u{0}\u{7F}".utf8)
        let times = TimeCache()
        defer { times.deallocate() }
        for _ in 0..<20_000 {
            var bytes = Array("2026-02-20T09:00:00.000Z".utf8)
            for place in [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15, 17, 18, 20, 21, 22] {
                bytes[place] = UInt8(ascii: "0") + UInt8(dice.below(place == 5 ? 2 : 7))
            }
            for _ in 0..<dice.below(3) { bytes[dice.below(bytes.count)] = dice.pick(marks) }
            var longer = bytes
            longer.insert(UInt8(ascii: "0"), at: 23)
            let (short, long) = (read(bytes, times), read(longer, times))
            #expect(short == long, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test(arguments: [UInt8(0), 0x20, 0x30, 0x3A, 0x7F, 0xCF, 0xFF])
    func `invalid bytes never parse as a time, whatever is cached`(_ byte: UInt8) {
        for end in [":00.000Z", ":12.000Z", ":59.123Z"] {
            let times = TimeCache()
            defer { times.deallocate() }
            let bytes = Array(repeating: byte, count: 16) + Array(end.utf8)
            #expect(read(bytes, times) == nil)
            #expect(read(Array("2026-02-20T09:00\(end)".utf8), times) != nil)
            #expect(read(bytes, times) == nil)
        }
    }

    /// Parses as the decoder does: with the quick parser if it accepts the text, else with the
    /// general one.
    private func read(_ bytes: [UInt8], _ times: TimeCache) -> Timestamp? {
        bytes.withUnsafeBytes { Timestamp(canonical: $0, times) ?? Timestamp(rfc3339: $0) }
    }
}
