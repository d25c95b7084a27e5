import TestSupport
import Testing

@testable import PurchaseEvents

/// The quick path guesses the lengths of values; a wrong guess never changes the result.
struct GuessedLengthTests {
    /// A line whose values have random lengths, and quotes in the wrong places.
    private func line(_ dice: inout Dice) -> [UInt8] {
        let type = dice.pick(["queue.finished", "queue.purchased", "delivery.delivered"])
        var text = "{\"seq\":\(dice.below(100_000)),\"at\":\"2026-02-20T09:00:00.000Z\""
        text += ",\"type\":\"\(type)\""
        for key in ["account", "device", "transaction", "product", "purchasedAt"] {
            guard dice.below(8) > 0 else { continue }
            var value = String(repeating: "x", count: 1 + dice.below(12))
            if key == "purchasedAt" { value = "2026-02-20T09:00:00.000Z" }
            if dice.below(10) == 0 {
                value += "\",\"" + String(repeating: "y", count: dice.below(6))
            }
            if dice.below(20) == 0 { value += "\"" }
            text += ",\"\(key)\":\"\(value)\""
        }
        if dice.below(6) == 0 { text += ",\"quantity\":\(dice.below(1_000_000_000))" }
        return Array((text + (dice.below(20) == 0 ? "" : "}")).utf8)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `lengths guessed from other lines change no result`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let names = NameTable()
        let (quick, careful) = (LineDecoder(names: names), LineDecoder(names: names))
        var events = 0
        for _ in 0..<3_000 {
            let line = line(&dice)
            line.withUnsafeBytes { bytes in
                let decoded = quick.decode(bytes)
                if case .event = decoded { events += 1 }
                #expect(
                    decoded == careful.decodeCarefully(bytes),
                    "seed \(seed): \(String(decoding: line, as: UTF8.self))")
            }
        }
        #expect(events > 500 && events < 2_900, "both kinds of lines: \(events) events")
    }

    @Test func `a quote inside a value is found even if the guess skips it`() {
        let decoder = LineDecoder()
        let ordinary =
            #"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"log.noted","text":"abcdefgh"}"#
        let split =
            #"{"seq":2,"at":"2026-02-20T09:00:00.000Z","type":"log.noted","text":"ab","cde"}"#
        for text in [ordinary, split] {
            Array(text.utf8).withUnsafeBytes { bytes in
                guard case .event = decoder.decode(bytes) else {
                    #expect(text == split)
                    return
                }
                #expect(text == ordinary)
            }
        }
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `quotes are counted in plain lines only`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        for _ in 0..<2_000 {
            var bytes = (0..<dice.below(140)).map { _ in UInt8(0x23 + dice.below(0x30)) }
            for place in bytes.indices where dice.below(9) == 0 { bytes[place] = 0x22 }
            if dice.below(4) == 0, !bytes.isEmpty {
                bytes[dice.below(bytes.count)] = UInt8(dice.below(256))
            }
            let isPlain = bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x5C }
            let expected =
                bytes.count >= 16 && isPlain ? bytes.count { $0 == 0x22 } : nil
            bytes.withUnsafeBytes { raw in
                let quotes = raw.baseAddress.flatMap { PlainBytes.quotes($0, raw.count) }
                #expect(quotes == expected, "seed \(seed): \(bytes)")
            }
        }
    }

    @Test func `every quote is counted in a line of only quotes`() {
        for count in [16, 4_079, 4_080, 4_081] {
            let bytes = [UInt8](repeating: 0x22, count: count)
            bytes.withUnsafeBytes { raw in
                let quotes = raw.baseAddress.flatMap { PlainBytes.quotes($0, raw.count) }
                #expect(quotes == (count <= 4_080 ? count : nil))
            }
        }
    }
}
