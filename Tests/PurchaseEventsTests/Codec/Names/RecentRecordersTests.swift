import TestSupport
import Testing

@testable import PurchaseEvents

/// A line has the account and device that it names, whatever the earlier lines named.
struct RecentRecordersTests {
    private static let accounts = [
        "a", "b", "be681e2e-1554-4dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd-88d1-c4c24fc84b27",
        "ce681e2e-1554-4dfd-88d1-c4c24fc84b26", "be681e2e-1554-4dfd-88d1-c4c24fc84b2",
        "user-0000000000000000000000001", "user-0000000000000000000000002",
        "é681e2e-1554-4dfd-88d1-c4c24fc84b2", String(repeating: "long", count: 10),
        String(repeating: "long", count: 26), String(repeating: "long", count: 60),
    ]
    private static let devices = [
        "p", "phone-1-1", "phone-1-2", "phone-11", "tablet-of-somebody-else-1",
        "tablet-of-nobody-in-particular-1", "tablet-of-nobody-in-partikular-1",
        String(repeating: "device", count: 20),
    ]

    /// A quoted string, sometimes with its first letter escaped.
    private func quoted(_ name: String, _ dice: inout Dice) -> String {
        guard dice.below(20) == 0, let first = name.unicodeScalars.first else {
            return "\"\(name)\""
        }
        let digits = String(first.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.count)
        return "\"\\u\(zeros)\(digits)\(name.dropFirst())\""
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `each line has the account and the device that it names`(_ seed: UInt64) {
        var dice = Dice(seed: seed)
        let decoder = LineDecoder()
        var (account, device) = ("a", "p")
        for step in 0..<8_000 {
            if dice.below(3) == 0 { account = dice.pick(RecentRecordersTests.accounts) }
            if dice.below(3) == 0 { device = dice.pick(RecentRecordersTests.devices) }
            var members = [
                "\"account\":" + quoted(account, &dice), "\"device\":" + quoted(device, &dice),
            ]
            if dice.below(10) == 0 { members.swapAt(0, 1) }
            if dice.below(10) == 0 { members.insert("\"environment\":\"sandbox\"", at: 1) }
            let isWhole = dice.below(10) > 0
            if !isWhole { members.removeAll { $0.hasPrefix("\"device\"") } }
            let line =
                "{\"seq\":1,\"at\":\"2026-02-20T09:00:00.000Z\",\"type\":\"app.launched\","
                + members.joined(separator: ",") + "}"
            guard case .event(let event) = Array(line.utf8).withUnsafeBytes(decoder.decode) else {
                Issue.record("seed \(seed), step \(step): not understood: \(line)")
                return
            }
            let seen = (
                event.account.map { decoder.names.text(of: $0) },
                event.device.map { decoder.names.text(of: $0) }
            )
            #expect(
                seen == (account, isWhole ? device : nil), "seed \(seed), step \(step): \(line)")
        }
    }
}
