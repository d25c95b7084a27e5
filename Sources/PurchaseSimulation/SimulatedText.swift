import PurchaseEvents

/// The spelling of a simulation. Names and texts are short and stored inline, so that events are
/// created, copied and destroyed without reference counting.
enum Simulated: WritableSpelling {
    typealias Name = SimulatedText
    typealias Key = SimulatedText
    typealias Text = SimulatedText
}

/// A text of at most 40 bytes, stored inline.
struct SimulatedText: Hashable, Sendable {
    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The maximum length in bytes.
    static let longest = 40

    /// The bytes of the text, padded with zeros.
    private var notificationNames: Words = (0, 0, 0, 0, 0)
    private var count: UInt8 = 0

    /// Creates a text from the bytes that `fill` writes; `fill` returns their number.
    ///
    /// - Precondition: there are at most ``longest`` bytes.
    @inline(__always)
    init(_ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        let count = withUnsafeMutableBytes(of: &notificationNames) { fill($0) }
        precondition(count <= SimulatedText.longest, "a simulated name is short")
        self.count = UInt8(truncatingIfNeeded: count)
    }

    /// Creates a text from a string.
    ///
    /// - Precondition: the string has at most ``longest`` bytes.
    init(_ text: String) {
        self.init { place in
            text.withLineBytes { bytes in
                precondition(bytes.count <= place.count, "a simulated name is short")
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
            length + other.utf8CodeUnitCount <= SimulatedText.longest, "a simulated name is short")
        withUnsafeMutableBytes(of: &longer.notificationNames) { bytes in
            other.withUTF8Buffer {
                UnsafeMutableRawBufferPointer(rebasing: bytes[length...]).copyBytes(from: $0)
            }
        }
        longer.count += UInt8(truncatingIfNeeded: other.utf8CodeUnitCount)
        return longer
    }

    static func == (left: SimulatedText, right: SimulatedText) -> Bool {
        left.notificationNames == right.notificationNames && left.count == right.count
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(notificationNames.0)
        hasher.combine(notificationNames.1)
        hasher.combine(notificationNames.2)
        hasher.combine(notificationNames.3)
        hasher.combine(notificationNames.4)
    }
}

extension SimulatedText: LineText {
    @inline(__always)
    func withLineBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeBytes(of: notificationNames) { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                body(UnsafeBufferPointer(rebasing: bytes[0..<Int(count)]))
            }
        }
    }
}

extension SimulatedText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(value) }
}
