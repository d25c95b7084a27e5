import PurchaseEvents

/// A name or none in four bytes, of which an optional takes eight.
struct OptionalName<Role: IdentifierRole>: Sendable {
    /// The handle plus one; 0 is none.
    private var number: UInt32 = 0

    @inline(__always)
    init() {}

    /// The name. The greatest handles are never given, so one more is a number too.
    var value: Identifier<Role, Interned>? {
        @inline(__always) get {
            number == 0 ? nil : Identifier(Handle(rawValue: number &- 1))
        }
        @inline(__always) set { number = newValue.map { $0.name.rawValue &+ 1 } ?? 0 }
    }
}
