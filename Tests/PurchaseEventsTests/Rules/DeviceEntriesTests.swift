import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseProjections

struct DeviceEntriesTests {
    @Test func `a table behaves like a dictionary by entry and device`() {
        var dice = Dice(seed: 3)
        var table = DeviceEntries(0)
        var expected: [HandleKey: [Int: Int]] = [:]
        for number in 1...3_000 {
            let key = HandleKey(UInt32(dice.below(4)), UInt32(dice.below(2)))
            let device = dice.below(5)
            switch dice.below(8) {
            case 0:
                let removed = table.removeAll(key)
                let devices = expected.removeValue(forKey: key) ?? [:]
                #expect(removed.map(\.device) == devices.keys.sorted())
                #expect(removed.map(\.value) == devices.keys.sorted().map { devices[$0] })
            case 1...3:
                #expect(
                    table.remove(key, on: device) == expected[key]?.removeValue(forKey: device))
            case _:
                let before = expected[key, default: [:]].updateValue(number, forKey: device)
                #expect(table.replace(number, key, on: device) == before)
            }
        }
        let all = Set(table.all.map { [$0.device, $0.value] })
        #expect(all == Set(expected.values.flatMap { $0.map { [$0.key, $0.value] } }))
    }
}
