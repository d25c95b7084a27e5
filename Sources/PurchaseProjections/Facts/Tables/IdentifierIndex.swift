import PurchaseEvents

extension Identifier where S == Interned {
    @inline(__always)
    init(index: Int) { self.init(Handle(rawValue: UInt32(index))) }
}

extension AccountHandle {
    /// A dense number of the account in an environment.
    func index(in environment: Environment) -> Int {
        index * 3 + Int(Environment.pack(environment))
    }
}
