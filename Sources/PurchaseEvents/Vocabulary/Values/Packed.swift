/// An optional value of an event, in no more bytes than the value itself.
///
/// Unlike `Optional`, `Packed` adds no byte: an optional time takes 9 bytes, and 16 with its
/// neighbour. `Packed` also shortens the build: in a generic struct, the compiler computes the size
/// of each `Optional` again for every later field and in every case of ``Fact``, which took most of
/// this module's build time.
@propertyWrapper
public struct Packed<Value: Packable>: Hashable, Sendable {
    @usableFromInline var packed: Value.PackedOptional

    /// The value, or `nil`.
    @inlinable
    public var wrappedValue: Value? {
        get { Value.unpack(packed) }
        set { packed = Value.pack(newValue) }
    }

    /// Stores a value or `nil`.
    @inlinable
    public init(wrappedValue: Value?) { packed = Value.pack(wrappedValue) }

    /// Stores `nil`.
    @inlinable
    public init() { packed = Value.pack(nil) }

    /// Whether both are `nil` or both are equal.
    @inlinable
    public static func == (left: Packed, right: Packed) -> Bool { left.packed == right.packed }

    /// Feeds the value to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(packed) }
}

extension Packed: BitwiseCopyable where Value.PackedOptional: BitwiseCopyable {}

extension Packed: CustomStringConvertible {
    /// The value as text, or `nil`.
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

/// A value that ``Packed`` can store.
public protocol Packable: Hashable, Sendable {
    /// The type that stores a value of this type or `nil`.
    associatedtype PackedOptional: Hashable & Sendable = Self?
    /// Stores a value or `nil`.
    static func pack(_ value: Self?) -> PackedOptional
    /// The stored value, or `nil`.
    static func unpack(_ packed: PackedOptional) -> Self?
}

extension Packable where PackedOptional == Self? {
    /// Stores a value or `nil` as an `Optional`.
    @inlinable
    public static func pack(_ value: Self?) -> PackedOptional { value }

    /// The stored value, or `nil`.
    @inlinable
    public static func unpack(_ packed: PackedOptional) -> Self? { packed }
}

extension String: Packable {}

extension Int64: Packable {
    /// Stores an integer; the minimum stands for `nil`, and is itself stored as the minimum plus 1.
    @inlinable
    public static func pack(_ value: Int64?) -> Int64 {
        guard let value else { return .min }
        return value == .min ? .min + 1 : value
    }

    /// The stored integer, or `nil`.
    @inlinable
    public static func unpack(_ packed: Int64) -> Int64? { packed == .min ? nil : packed }
}

extension Timestamp: Packable {
    /// Stores an instant as its milliseconds.
    @inlinable
    public static func pack(_ value: Timestamp?) -> Int64 { Int64.pack(value?.milliseconds) }

    /// The stored instant, or `nil`.
    @inlinable
    public static func unpack(_ packed: Int64) -> Timestamp? {
        packed == .min ? nil : Timestamp(milliseconds: packed)
    }
}

extension Bool: Packable {
    /// Stores a flag as a byte: 0 is false, 1 is true, 2 is `nil`.
    @inlinable
    public static func pack(_ value: Bool?) -> UInt8 { value.map { $0 ? 1 : 0 } ?? 2 }

    /// The stored flag, or `nil`.
    @inlinable
    public static func unpack(_ packed: UInt8) -> Bool? { packed == 2 ? nil : packed == 1 }
}

extension ClosedList {
    /// Stores a word in a byte.
    ///
    /// An enum of fewer than 256 cases without payload takes one byte, as does its `Optional`.
    @inlinable
    public static func pack(_ value: Self?) -> UInt8 {
        withUnsafeBytes(of: value) { $0.load(as: UInt8.self) }
    }

    /// The stored word, or `nil`.
    @inlinable
    public static func unpack(_ packed: UInt8) -> Self? {
        // Only `pack` makes these bytes.
        withUnsafeBytes(of: packed) { $0.load(as: Self?.self) }
    }
}

extension Currency: Packable {
    /// Stores a currency as its raw value; 0 stands for `nil`.
    @inlinable
    public static func pack(_ value: Currency?) -> UInt32 { value?.rawValue ?? 0 }

    /// The stored currency, or `nil`.
    public static func unpack(_ packed: UInt32) -> Currency? { Currency(stored: packed) }
}

extension Identifier: Packable {
    /// Stores an identifier as its name.
    @inlinable
    public static func pack(_ value: Identifier?) -> S.Name.PackedOptional {
        S.Name.pack(value?.name)
    }

    /// The stored identifier, or `nil`.
    @inlinable
    public static func unpack(_ packed: S.Name.PackedOptional) -> Identifier? {
        if let name = S.Name.unpack(packed) { Identifier(name) } else { nil }
    }
}
