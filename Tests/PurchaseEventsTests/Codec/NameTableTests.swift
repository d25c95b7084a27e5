import TestSupport
import Testing

@testable import PurchaseEvents

@Suite struct NameTableTests {
    /// Equal names have one handle, others another, whatever was asked before.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a name has the handle that it was given first`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let names = NameTable(seed: seed)
        var model: [String: TransactionID<Interned>] = [:]
        var latest = "1"
        for _ in 0..<6_000 {
            var name = latest
            switch dice.below(4) {
            case 0: break
            case 1:
                // Of one length and with one end or one beginning.
                let place = name.index(name.startIndex, offsetBy: dice.below(name.count))
                name.replaceSubrange(place...place, with: "\(dice.below(10))")
            case 2: name = String((1 + dice.below(3_000)) * 7_919)
            default:
                name = String(repeating: "\(dice.below(3))", count: 1 + dice.below(40))
            }
            latest = name
            let handle = names.intern(TransactionID<Written>(name))
            #expect(handle == model[name, default: handle], "seed \(seed): \(name)")
            model[name] = handle
            #expect(names.count(of: .transaction) == model.count, "seed \(seed): \(name)")
        }
        for (name, handle) in model {
            #expect(names.text(of: handle) == name)
            #expect(names.find(TransactionID<Written>(name)) == handle)
        }
        #expect(names.find(TransactionID<Written>("never met")) == nil)
    }

    @Test func `what is no name is given a handle of its own`() {
        let names = NameTable()
        let empty = names.intern(AccountID<Written>(""))
        #expect(names.text(of: empty) == "")
        #expect(names.text(of: names.intern(AccountID<Written>("a"))) == "a")
    }
}
