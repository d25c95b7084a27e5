import PurchaseEvents

/// An optional name in four bytes; `Optional` would take eight.
struct OptionalName<Role: IdentifierRole>: Sendable {
    /// The handle plus one; 0 means none.
    private var number: UInt32 = 0

    @inline(__always)
    init() {}

    /// The name. Adding one cannot overflow, because the greatest handle is never issued.
    var value: Identifier<Role, Interned>? {
        @inline(__always) get {
            number == 0 ? nil : Identifier(Handle(rawValue: number &- 1))
        }
        @inline(__always) set { number = newValue.map { $0.name.rawValue &+ 1 } ?? 0 }
    }
}
