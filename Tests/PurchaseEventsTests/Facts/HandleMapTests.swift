import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

@Suite struct HandleMapTests {
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
        let product = ProductID<Interned>(Handle(rawValue: 9))
        let account = AccountID<Interned>(Handle(rawValue: 0))
        #expect(HandleKey(product).product == product)
        #expect(HandleKey(product, of: nil) != HandleKey(product, of: account))
    }
}
