import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

struct HandleMapTests {
    private func key(_ number: Int) -> HandleKey {
        let handle = Handle(rawValue: UInt32(number / 2))
        return number % 2 == 0
            ? HandleKey(.transaction(TransactionID(handle)))
            : HandleKey(.payment(PaymentID(handle)))
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `the map agrees with a dictionary`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        var map = HandleMap(0)
        var model: [HandleKey: Int] = [:]
        for step in 0..<4_000 {
            let key = key(dice.below(step < 2_000 ? 400 : 30))
            switch dice.below(4) {
            case 0:
                map[key] = nil
                model[key] = nil
            case 1:
                map[orEmpty: key] += step
                model[key, default: 0] += step
            default:
                map[key] = step
                model[key] = step
            }
            #expect(map[key] == model[key], "seed \(seed), step \(step)")
            #expect(map.count == model.count, "seed \(seed), step \(step)")
        }
        let entries = map.entries
        #expect(Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) }) == model)
        for number in 0..<400 { #expect(map[key(number)] == model[key(number)]) }
    }

    @Test func `a copy is independent`() {
        var map = HandleMap("")
        map[key(1)] = "one"
        let copy = map
        map[key(1)] = nil
        map[key(2)] = "two"
        #expect(copy[key(1)] == "one" && copy[key(2)] == nil)
        #expect(map.count == 1 && map[key(1)] == nil)
    }

    @Test func `a key tells what it was made of`() {
        let payment = QueueEntry<Interned>.payment(PaymentID(Handle(rawValue: .max)))
        let transaction = QueueEntry<Interned>.transaction(TransactionID(Handle(rawValue: 7)))
        #expect(HandleKey(payment).entry == payment)
        #expect(HandleKey(transaction).entry == transaction)
        let product = ProductHandle(Handle(rawValue: 9))
        let account = AccountHandle(Handle(rawValue: 0))
        #expect(HandleKey(product).product == product)
        #expect(HandleKey(product, of: nil) != HandleKey(product, of: account))
    }

    /// Keys whose home was the same slot when the multiplier was fixed.
    private static let colliding: [HandleKey] = {
        var found: [HandleKey] = []
        for product in UInt32(0)... {
            for account in UInt32(0)..<4_096 where found.count < 1_000 {
                let stored = UInt64(product) << 32 | UInt64(account) + 1
                let (high, low) = stored.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
                if (high ^ low >> 32) & 2_047 == 0 { found.append(HandleKey(product, account)) }
            }
            if found.count == 1_000 { return found }
        }
        return found
    }()

    @Test func `keys that a log chooses cost no more than others`() throws {
        let clock = ContinuousClock()
        func time(_ keys: [HandleKey]) -> Duration {
            let times = (0..<7).map { _ in
                clock.measure {
                    var map = HandleMap(0)
                    for key in keys { map[key] = 1 }
                }
            }
            return times.sorted()[3]
        }
        let others = (0..<1_000).map { HandleKey(UInt32($0 / 100), UInt32($0 % 100)) }
        // When they collided, the look-ups took 100 times as long.
        #expect(time(HandleMapTests.colliding) < time(others) * 10)
    }
}
