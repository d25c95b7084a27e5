import TestSupport
import Testing

@testable import PurchaseEvents

/// A known shape gives the same values as the scanner.
struct LineShapesTests {
    /// The result of a scan: the keys that are present and their values.
    private struct Found: Equatable {
        var present: KeySet
        var type: EventType?
        var isOrdered: Bool
        var values: [Key: [Int]] = [:]

        init(_ scanned: FastScanner.Scanned, _ tokens: UnsafePointer<Token>) {
            (present, type, isOrdered) = (scanned.present, scanned.type, scanned.isOrdered)
            for key in Key.allCases where present.contains(key) {
                let token = tokens[Int(key.rawValue)]
                values[key] = [token.start, token.count, Int(token.form.rawValue)]
            }
        }
    }

    /// The learned shapes, and a scanner that knows none.
    private final class Pair {
        private let shapes = LineShapes()
        private let tokens = UnsafeMutablePointer<Token>.allocate(capacity: Tokens.count)
        private let keys = KeyPredictor()

        init() {
            let absent = Token(start: 0, count: 0, form: .null)
            tokens.initialize(repeating: absent, count: Tokens.count)
        }

        deinit {
            tokens.deallocate()
            keys.deallocate()
        }

        func find(_ line: [UInt8]) -> Found? {
            line.withUnsafeBytes { shapes.find($0, into: tokens).map { Found($0, tokens) } }
        }

        func scan(_ line: [UInt8], learning: Bool = false) -> Found? {
            line.withUnsafeBytes { bytes in
                guard let scanned = FastScanner.scan(bytes, into: tokens, keys) else { return nil }
                if learning { shapes.learn(bytes, scanned, tokens) }
                return Found(scanned, tokens)
            }
        }
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let line = #"""
        {"seq":12,"at":"2026-02-20T09:00:00.000Z","type":"payment.requested","account":"a-1",\#
        "device":"phone","payment":"p-1","product":"coins","quantity":12,"price":-990,\#
        "currency":"USD"}
        """#

    @Test func `a shape is known once it has occurred twice`() {
        let pair = Pair()
        let line = bytes(Self.line)
        let other = bytes(Self.line.replacing("coins", with: "gems").replacing("12", with: "34"))
        #expect(pair.find(line) == nil)
        let scanned = pair.scan(line, learning: true)
        #expect(scanned != nil && pair.find(line) == nil, "most lines of odd lengths come once")
        _ = pair.scan(line, learning: true)
        #expect(pair.find(line) == scanned)
        #expect(pair.find(other) == nil, "another length")
        let equallyLong = bytes(Self.line.replacing("coins", with: "gems!"))
        #expect(pair.find(equallyLong) == pair.scan(equallyLong))
        #expect(pair.find(equallyLong) != nil)
    }

    @Test(arguments: EventType.allCases)
    func `for any changed byte, a shape gives the scanner's result or none`(
        _ type: EventType
    ) {
        let pair = Pair()
        // The number of values and the length of the line are within the limits of a shape.
        let rare: Set<Key> = [
            .id, .source, .environment, .signedAt, .chain, .plan, .commitmentNumber, .commitmentOf,
            .commitmentUntil, .commitmentPrice,
        ]
        let sample = LineSample(type) {
            !rare.contains($0.key) && !(type.isOfEntry && $0.key == .payment)
        }
        let line = Array(sample.text.utf8)
        for _ in 0..<2 { #expect(pair.scan(line, learning: true) != nil) }
        #expect(pair.find(line) == pair.scan(line) && pair.find(line) != nil)
        for place in line.indices {
            for byte in bytes("\"\\0x}") + [0, 0x7F, 0x80] {
                var changed = line
                changed[place] = byte
                guard let found = pair.find(changed) else { continue }
                let text = String(decoding: changed, as: UTF8.self)
                #expect(found == pair.scan(changed), "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("12,\"price\"", "01,\"price\""), ("12,\"price\"", "1-,\"price\""),
        ("12,\"price\"", "1x,\"price\""), ("-990", "--90"), ("-990", "-090"), ("-990", "9-90"),
        ("phone", "ph\"ne"), ("phone", "ph\\ne"), ("phone", "ph\u{1}ne"), ("phone", "ph\u{0}ne"),
        ("phone", "ph\u{7F}ne"), ("phone", "phé\u{6E}"), ("device", "deVice"), ("USD\"}", "USD\" "),
        ("payment.requested", "payment.requestud"), ("\"p-1\"", "\"p-1 "),
        (",\"price\"", " \"price\""),
    ])
    func `a line with unusual values matches no shape`(_ seen: String, _ wrong: String) {
        let pair = Pair()
        for _ in 0..<2 { _ = pair.scan(bytes(Self.line), learning: true) }
        #expect(seen.utf8.count == wrong.utf8.count)
        let line = bytes(Self.line.replacing(seen, with: wrong))
        #expect(line != bytes(Self.line) && pair.find(line) == nil)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `shapes of equal length alternate without being confused`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let pair = Pair()
        var known = 0
        for _ in 0..<3_000 {
            // All lines have the same length and one of nine shapes, or a quantity of another
            // length.
            let count = 1 + dice.below(9)
            let (name, device) = (
                String(repeating: "n", count: count), String(repeating: "d", count: 10 - count)
            )
            let quantity = dice.below(4) == 0 ? dice.below(1_000) : 10 + dice.below(90)
            let line = bytes(
                Self.line.replacing("a-1", with: name).replacing("phone", with: device)
                    .replacing("\"quantity\":12", with: "\"quantity\":\(quantity)"))
            let found = pair.find(line)
            let scanned = pair.scan(line, learning: found == nil)
            #expect(scanned != nil)
            if let found {
                known += 1
                #expect(found == scanned, "seed \(seed)")
            }
        }
        #expect(known > 300, "\(known) lines of a known shape")
    }

    @Test func `a line that is too long has no shape`() {
        let pair = Pair()
        let long = bytes(Self.line.replacing("a-1", with: String(repeating: "a", count: 250)))
        let longer = bytes(Self.line.replacing("a-1", with: String(repeating: "a", count: 640)))
        for line in [long, longer] {
            for _ in 0..<2 { #expect(pair.scan(line, learning: true) != nil) }
        }
        #expect(pair.find(long) != nil && pair.find(longer) == nil)
    }
}
