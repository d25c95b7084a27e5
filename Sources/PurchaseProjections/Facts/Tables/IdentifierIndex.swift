import PurchaseEvents

extension Identifier where S == Interned {
    /// Creates the identifier with the given ``index``.
    @inline(__always)
    init(index: Int) { self.init(Handle(rawValue: UInt32(index))) }
}
