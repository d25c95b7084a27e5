/// The types of an event's names and texts, so that writers and readers share one definition of
/// events.
///
/// A writer spells a name as a `String`. The read path spells a name as a dense handle, which makes
/// an event a trivial value without reference counts.
public protocol Spelling: Sendable {
    /// An opaque name of 1 to 255 bytes.
    associatedtype Name: Packable
    /// The idempotency key of an event; no state is keyed by it.
    associatedtype Key: Packable
    /// Open text of up to 4,096 bytes.
    associatedtype Text: Packable
}

/// The spelling for writers: names and texts are strings.
public enum Written: Spelling {
    /// A name as text.
    public typealias Name = String
    /// An `id` as text.
    public typealias Key = String
    /// A text verbatim.
    public typealias Text = String
}

/// The spelling for the read path: names are handles of a ``NameTable``, texts are places in the
/// line.
public enum Interned: Spelling {
    /// A name as its handle.
    public typealias Name = Handle
    /// An `id` as its fingerprint.
    public typealias Key = Fingerprint
    /// A text as its place in the line.
    public typealias Text = TextSpan
}

/// A dense 32-bit number for a name within one role: 0, 1, 2, … in order of appearance.
public struct Handle: Packable, BitwiseCopyable {
    /// The position of the name in its table, counted from 0.
    public let rawValue: UInt32

    /// Creates the handle for a position in its table.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Stores a handle plus one, or 0 for `nil`; no table gives out the greatest handle.
    @inlinable
    public static func pack(_ value: Handle?) -> UInt32 { value.map { $0.rawValue &+ 1 } ?? 0 }

    /// The stored handle, or `nil`.
    @inlinable
    public static func unpack(_ packed: UInt32) -> Handle? {
        packed == 0 ? nil : Handle(rawValue: packed &- 1)
    }

    /// Whether two handles of one table are the same.
    @inlinable
    public static func == (left: Handle, right: Handle) -> Bool { left.rawValue == right.rawValue }

    /// Feeds the handle to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// The handle as an array index.
    @inlinable
    public var index: Int { Int(rawValue) }
}

/// A 128-bit hash that stands for an `id` or a name, so that a long log needs no memory for texts.
public struct Fingerprint: Packable, BitwiseCopyable {
    /// The upper and the lower 64 bits.
    public let high: UInt64, low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The place of a text in its line: the bytes between the quotes, still escaped.
public struct TextSpan: Packable {
    /// The offset of the first byte in the line, and the number of bytes.
    public let start: UInt32, count: UInt32

    @inlinable
    package init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }
}
