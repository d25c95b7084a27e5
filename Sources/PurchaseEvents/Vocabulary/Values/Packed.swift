/// A value that an event may lack, stored in no more bytes than the value itself.
///
/// An `Optional` would do, but for its size: that of a time is 9 bytes, so 16 with its neighbour.
/// And where a struct is generic, the compiler works the size of each `Optional` out again for
/// every field behind it and in every case of ``Fact``, which took most of this module's build.
@propertyWrapper
public struct Packed<Value: Packable>: Hashable, Sendable {
    @usableFromInline var packed: Value.PackedOptional

    /// The value, or `nil` where there is none.
    @inlinable
    public var wrappedValue: Value? {
        get { Value.unpack(packed) }
        set { packed = Value.pack(newValue) }
    }

    /// Stores a value, or that there is none.
    @inlinable
    public init(wrappedValue: Value?) { packed = Value.pack(wrappedValue) }

    /// Stores that there is no value.
    @inlinable
    public init() { packed = Value.pack(nil) }

    /// Whether both are absent or equal.
    @inlinable
    public static func == (left: Packed, right: Packed) -> Bool { left.packed == right.packed }

    /// Feeds the value to a hasher.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(packed) }
}

extension Packed: CustomStringConvertible {
    /// The value as text, or `nil`.
    public var description: String { wrappedValue.map { "\($0)" } ?? "nil" }
}

/// A value that ``Packed`` can store.
public protocol Packable: Hashable, Sendable {
    /// What stores a value of this type, or that there is none.
    associatedtype PackedOptional: Hashable & Sendable = Self?
    /// Stores a value, or that there is none.
    static func pack(_ value: Self?) -> PackedOptional
    /// The value that is stored, or `nil` where there is none.
    static func unpack(_ packed: PackedOptional) -> Self?
}

extension Packable where PackedOptional == Self? {
    /// Stores a value, or that there is none, as an `Optional`.
    @inlinable
    public static func pack(_ value: Self?) -> PackedOptional { value }

    /// The value that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: PackedOptional) -> Self? { packed }
}

extension String: Packable {}

extension Int64: Packable {
    /// Stores an integer; the least one is none, and is stored as the next.
    @inlinable
    public static func pack(_ value: Int64?) -> Int64 {
        guard let value else { return .min }
        return value == .min ? .min + 1 : value
    }

    /// The integer that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: Int64) -> Int64? { packed == .min ? nil : packed }
}

extension Timestamp: Packable {
    /// Stores an instant by its milliseconds, as an `Int64` is stored.
    @inlinable
    public static func pack(_ value: Timestamp?) -> Int64 { Int64.pack(value?.milliseconds) }

    /// The instant that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: Int64) -> Timestamp? {
        packed == .min ? nil : Timestamp(milliseconds: packed)
    }
}

extension Bool: Packable {
    /// Stores a flag in a byte: 0 false, 1 true, 2 none.
    @inlinable
    public static func pack(_ value: Bool?) -> UInt8 { value.map { $0 ? 1 : 0 } ?? 2 }

    /// The flag that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: UInt8) -> Bool? { packed == 2 ? nil : packed == 1 }
}

extension ClosedList {
    /// Stores a word of the list in a byte: an enum of fewer than 256 cases without values, of
    /// which an `Optional` is a byte too.
    @inlinable
    public static func pack(_ value: Self?) -> UInt8 {
        withUnsafeBytes(of: value) { $0.load(as: UInt8.self) }
    }

    /// The word that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: UInt8) -> Self? {
        // `pack` alone makes these bytes.
        withUnsafeBytes(of: packed) { $0.load(as: Self?.self) }
    }
}

extension Currency: Packable {
    /// Stores a currency by its raw value; 0 is none.
    @inlinable
    public static func pack(_ value: Currency?) -> UInt32 { value?.rawValue ?? 0 }

    /// The currency that is stored, or `nil` where there is none.
    public static func unpack(_ packed: UInt32) -> Currency? { Currency(stored: packed) }
}

extension Identifier: Packable {
    /// Stores an identifier by its name.
    @inlinable
    public static func pack(_ value: Identifier?) -> S.Name.PackedOptional {
        S.Name.pack(value?.name)
    }

    /// The identifier that is stored, or `nil` where there is none.
    @inlinable
    public static func unpack(_ packed: S.Name.PackedOptional) -> Identifier? {
        S.Name.unpack(packed).map { Identifier($0) }
    }
}
