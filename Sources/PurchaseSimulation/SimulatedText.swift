import PurchaseEvents

/// The spelling of a simulation, with short names and texts that are stored inline.
///
/// So events are created, copied and destroyed without reference counting.
enum Simulated: WritableSpelling {
    typealias Name = SimulatedText
    typealias Key = SimulatedText
    typealias Text = SimulatedText
}

/// A text of at most 40 bytes, stored inline.
struct SimulatedText: Packable {
    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The maximum length in bytes.
    static let longest = 40

    /// The bytes of the text, padded with zeros.
    private var words: Words = (0, 0, 0, 0, 0)
    private var count: UInt8 = 0

    /// Creates a text from the bytes that `fill` writes; `fill` returns their number.
    ///
    /// - Precondition: there are at most ``longest`` bytes.
    @inline(__always)
    init(_ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        let count = withUnsafeMutableBytes(of: &words) { fill($0) }
        precondition(count <= SimulatedText.longest, "a simulated text has at most 40 bytes")
        self.count = UInt8(truncatingIfNeeded: count)
    }

    /// Creates a text from a string.
    ///
    /// - Precondition: the string has at most ``longest`` bytes.
    init(_ text: String) {
        self.init { place in
            text.withLineBytes { bytes in
                precondition(bytes.count <= place.count, "a simulated text has at most 40 bytes")
                place.copyBytes(from: bytes)
                return bytes.count
            }
        }
    }

    /// The text followed by another one.
    func appending(_ other: StaticString) -> SimulatedText {
        let length = Int(count)
        var longer = self
        precondition(
            length + other.utf8CodeUnitCount <= SimulatedText.longest,
            "a simulated text has at most 40 bytes")
        withUnsafeMutableBytes(of: &longer.words) { bytes in
            other.withUTF8Buffer {
                UnsafeMutableRawBufferPointer(rebasing: bytes[length...]).copyBytes(from: $0)
            }
        }
        longer.count += UInt8(truncatingIfNeeded: other.utf8CodeUnitCount)
        return longer
    }

    static func == (left: SimulatedText, right: SimulatedText) -> Bool {
        left.words == right.words && left.count == right.count
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
        hasher.combine(words.4)
    }
}

extension SimulatedText: LineText {
    @inline(__always)
    func withLineBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes(of: words) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                body(UnsafeBufferPointer(rebasing: bytes[0..<Int(count)]))
            }
        }
    }
}

extension SimulatedText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(value) }
}
