import TestSupport
import Testing

@testable import PurchaseEvents

struct NameTableTests {
    /// Equal names have the same handle and different names different ones, in any order of
    /// requests.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a name keeps the handle that it was given first`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let names = NameTable(of: NameRole.allCases, key: HashKey(from: &dice))
        var model: [String: TransactionHandle] = [:]
        var latest = "1"
        for _ in 0..<6_000 {
            var name = latest
            switch dice.below(4) {
            case 0: break
            case 1:
                // Same length, and the same beginning or end.
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

    /// Names with a form that is stored in a few bytes, and names that almost have one.
    private static let formed: [String] = [
        "4700010571428972", "0000000000000000", "9999999999999999", "470001057142897",
        "47000105714289721", "470001057142897a", "470001057142897:", "47000105714289/2",
        "47000105é4289721", "be681e2e-1554-4dfd-88d1-c4c24fc84b26",
        "BE681E2E-1554-4DFD-88D1-C4C24FC84B26", "be681e2e-1554-4dfd-88d1-c4c24fc84b2g",
        "be681e2e-1554-4dfd-88d1-c4c24fc84b2", "be681e2e-1554-4dfd-88d1-c4c24fc84b261",
        "be681e2e_1554-4dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd-88d1_c4c24fc84b26",
        "be681e2e-155434dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd488d1-c4c24fc84b26",
        "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "ffffffff-ffff-ffff-0000-000000000000", "ffffffff-ffff-fffe-ffff-ffffffffffff",
        "ffffffffffffffff", "fffffffffffffff", "a",
    ]

    @Test func `names are returned unchanged, whatever their form and role`() {
        func check<Role: IdentifierRole>(_ role: Role.Type) {
            let names = NameTable()
            let handles = NameTableTests.formed.map {
                names.intern(Identifier<Role, Written>($0))
            }
            #expect(Set(handles).count == NameTableTests.formed.count)
            for (name, handle) in zip(NameTableTests.formed, handles) {
                #expect(names.text(of: handle) == name)
                #expect(names.intern(Identifier<Role, Written>(name)) == handle)
                #expect(names.find(Identifier<Role, Written>(name)) == handle)
                for (other, otherHandle) in zip(NameTableTests.formed, handles) {
                    #expect(
                        names.precedes(handle, otherHandle)
                            == name.utf8.lexicographicallyPrecedes(other.utf8))
                }
            }
            // Names in other tables aren't counted again.
            var dice = Dice(seed: 7)
            let key = HashKey(from: &dice)
            let others = [NameTable(), NameTable(of: NameRole.allCases, key: key)]
            _ = others[0].intern(Identifier<Role, Written>(NameTableTests.formed[1]))
            _ = others[1].intern(Identifier<Role, Written>(NameTableTests.formed[3]))
            _ = others[1].intern(Identifier<Role, Written>("another"))
            func missing(
                _ handles: Range<Int>, _ others: [NameTable], _ leftOut: Set<Int> = [],
                _ leftOutThere: Set<Int> = []
            ) -> Int {
                names.count(
                    of: Role.role, in: handles, but: leftOut,
                    missingIn: others.map { ($0, leftOutThere) })
            }
            let all = 0..<names.count(of: Role.role)
            #expect(missing(all, []) == all.count)
            #expect(missing(all, others) == all.count - 2)
            #expect(missing(2..<4, others) == 1 && missing(0..<2, [others[1]]) == 2)
            // Some are counted in no table, others not in the other tables.
            #expect(missing(all, [], [1, 2]) == all.count - 2)
            #expect(missing(all, others, [1]) == all.count - 2)
            #expect(missing(all, others, [], [0]) == all.count)
        }
        check(Roles.Transaction.self)
        check(Roles.Payment.self)
        check(Roles.Notification.self)
        check(Roles.Account.self)
    }

    @Test func `many names are returned unchanged`() {
        let names = NameTable()
        func name(_ number: Int) -> String {
            "\(number)" + String(repeating: "x", count: 60 + number % 190)
        }
        let handles = (0..<30_000).map { names.intern(PaymentID<Written>(name($0))) }
        for (number, handle) in handles.enumerated() where names.text(of: handle) != name(number) {
            Issue.record("\(number)")
        }
        #expect(Set(handles).count == 30_000)
    }

    @Test func `a table for some roles gives all other names the handle 0`() {
        let decoder = LineDecoder(names: NameTable(of: [.account, .transaction]))
        for number in 0..<3 {
            let line = """
                {"seq":1,"at":"2026-01-01T00:00:00.000Z","type":"queue.finished",\
                "account":"a\(number)","device":"d\(number)","transaction":"t\(number)"}
                """
            guard case .event(let event) = Array(line.utf8).withUnsafeBytes({ decoder.decode($0) })
            else {
                Issue.record("\(line)")
                continue
            }
            #expect(event.account?.index == number)
            #expect(event.transaction?.index == number)
            #expect(event.device?.index == 0)
        }
        #expect(decoder.names.count(of: .account) == 3)
        #expect(decoder.names.count(of: .device) == 0)
    }

    @Test func `bytes that aren't a name get a handle of their own`() {
        let names = NameTable()
        let empty = names.intern(AccountID<Written>(""))
        #expect(names.text(of: empty) == "")
        #expect(names.text(of: names.intern(AccountID<Written>("a"))) == "a")
    }
}
