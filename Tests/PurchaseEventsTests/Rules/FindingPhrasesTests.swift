import PurchaseEvents
import Testing

@testable import PurchaseProjections

struct FindingPhrasesTests {
    @Test func `a purchase keeps its buyer, whoever owns its line later`() throws {
        let history = Timeline(
            """
            renewal.started account=ann transaction=t1 original=t1 product=gold expiresAt=2026-02-01
            renewal.renewed transaction=t2 original=t1 product=gold purchasedAt=2026-02-01 expiresAt=2026-03-01
            account.linked account=bob original=t1
            renewal.renewed transaction=t3 original=t1 product=gold purchasedAt=2026-03-01 expiresAt=2026-04-01
            queue.purchased transaction=t4 product=coins
            account.linked account=cid original=t5
            """)
        let reader = LogReader()
        var check = Check([], names: reader.decoder.names)
        try reader.read(MemorySource(history.bytes)) { line in
            check.observe(line)
            return true
        }
        let facts = check.facts
        func transaction(_ name: String) throws -> TransactionHandle {
            try #require(facts.names.find(TransactionID<Written>(name)))
        }
        for (name, words) in [
            ("t1", " of gold for account ann"), ("t2", " of gold"),
            ("t3", " of gold for account bob"), ("t4", " of coins"),
        ] {
            #expect(facts.describe(try transaction(name)) == "transaction \(name)\(words)")
        }
        #expect(facts.attested(try transaction("t1")).message.contains("gold for account ann,"))
        #expect(!facts.attested(try transaction("t2")).message.contains("account"))
        #expect(facts.attested(try transaction("t3")).message.contains("gold for account bob,"))
    }
}
