import PurchaseEvents

extension Identifier where S == Interned {
    /// The name whose ``index`` is that number.
    @inline(__always)
    init(index: Int) { self.init(Handle(rawValue: UInt32(index))) }
}
