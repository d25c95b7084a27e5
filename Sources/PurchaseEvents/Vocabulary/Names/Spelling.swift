/// How an event holds its names and texts: one definition of the events serves writers and readers.
///
/// A writer spells a name as a `String`; the read path spells it as a dense handle, so that an
/// event there is a trivial value without reference counts.
public protocol Spelling: Sendable {
    /// An opaque name of 1 to 255 bytes.
    associatedtype Name: Packable
    /// The idempotency key of an event: a name that no state is keyed by.
    associatedtype Key: Packable
    /// Open text of up to 4,096 bytes.
    associatedtype Text: Packable
}

/// The spelling of writers: names and texts are strings.
public enum Written: Spelling {
    /// A name as text.
    public typealias Name = String
    /// An `id` as text.
    public typealias Key = String
    /// A text as it is.
    public typealias Text = String
}

/// The spelling of the read path: names are handles of a ``NameTable``, texts places in the line.
public enum Interned: Spelling {
    /// A name as its number.
    public typealias Name = Handle
    /// An `id` as its fingerprint.
    public typealias Key = Fingerprint
    /// A text as its place.
    public typealias Text = TextSpan
}

/// A dense 32-bit number that stands for a name within one role: 0, 1, 2, … as names appear.
public struct Handle: Packable {
    /// The position of the name in its table.
    public let rawValue: UInt32

    /// The handle at a position of its table.
    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Stores a handle plus one; 0 is none, for no table gives the greatest handle.
    @inlinable
    public static func pack(_ value: Handle?) -> UInt32 { value.map { $0.rawValue &+ 1 } ?? 0 }

    /// The handle that is stored, or `nil` where there is none.
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

/// 128 bits that stand for an `id`, so that a long log keeps no text of what it has seen.
public struct Fingerprint: Packable {
    /// The first and the second half.
    public let high: UInt64, low: UInt64

    /// A fingerprint of two halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The place of a text in the bytes of its line, in bytes between the quotes, still escaped.
public struct TextSpan: Packable {
    /// The first byte, counted from the start of the line, and the number of bytes.
    public let start: UInt32, count: UInt32

    /// A place in the line.
    @inlinable
    public init(start: UInt32, count: UInt32) {
        self.start = start
        self.count = count
    }
}
