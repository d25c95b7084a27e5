import PurchaseRecorder
import PurchaseSimulation
import TestSigning
import TestSupport
import Testing

@testable import PurchaseEvents

/// What no story says of the payment queue's recorder and its notes.
struct QueueTests {
    @Test func `all states have a story`() {
        #expect(ObservedTransactionState.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
        #expect(DownloadState.allCases.count == 6)
    }

    @Test func `each error of the store has its word`() {
        let words = (0...21).map { StoreFailure(domain: StoreFailure.storeDomain, code: $0).word }
        #expect(
            words.prefix(8) == [
                "unknown", "invalidClient", "cancelled", "invalidPayment", "notAllowed",
                "productUnavailable", "cloudServicePermissionDenied", "network",
            ])
        #expect(Set(words).count == 22)
        #expect(words.last == "SKErrorDomain 21")
        #expect(StoreFailure(domain: "NSURLErrorDomain", code: -1_009).word == "network")
        #expect(StoreFailure(domain: "AMSErrorDomain", code: 9).word == "AMSErrorDomain")
        #expect(StoreFailure(domain: "", code: 9).word == "unknown")
    }

    @Test func `periods are ISO 8601 durations`() {
        let durations = ObservedPeriodUnit.allCases.map { $0.duration(3) }
        #expect(durations == ["P3D", "P3W", "P3M", "P3Y"])
    }

    @Test func `a refreshed receipt lists its purchases and what was refunded`() throws {
        let bench = try Bench()
        func text(_ text: String) -> [UInt8] { DERWriter.element(0x0C, Array(text.utf8)) }
        func date(_ text: String) -> [UInt8] { DERWriter.element(0x16, Array(text.utf8)) }
        let purchase = TestReceipt.set([
            (1701, DERWriter.integer(1)), (1702, text("theme")), (1703, text("t1")),
            (1704, date("2026-01-01T00:00:00Z")), (1705, text("t1")),
            (1706, date("2026-01-01T00:00:00Z")), (1707, DERWriter.integer(0)),
            (1712, date("2026-01-02T00:00:00Z")),
        ])
        let receipt = TestReceipt(attributes: [
            (0, text("Production")), (2, text("com.example.app")), (3, text("1")),
            (12, date("2026-01-03T00:00:00Z")), (17, purchase),
        ])
        bench.recorder.refreshedReceipt(receipt.bytes)
        #expect(bench.app.problems == [])
        #expect(
            bench.log.events.dropFirst(2) == [
                "receipt.refreshed", "receipt.listed t1", "cancellation.refunded t1",
            ])
        // The same receipt again changes nothing (G8.2).
        bench.recorder.refreshedReceipt(receipt.bytes)
        #expect(bench.log.events.count == 5)
        #expect(try bench.log.findings() == [])
    }

    @Test func `after a power loss the notes are the old ones or the new ones`() throws {
        var dice = Dice(seed: 1)
        for kind in CrashKind.allCases {
            for bytes in 0..<200 {
                let files = MemoryFiles()
                let file = ReplacedFile(at: "shop/notes", operations: files)
                try file.replace(with: Array("old".utf8))
                files.stop(afterBytes: bytes % 50)
                try? file.replace(with: Array("the new notes".utf8))
                let image = files.image.after(kind, &dice)
                let after = ReplacedFile(at: "shop/notes", operations: MemoryFiles(image))
                let text = try after.read().map { String(decoding: $0, as: UTF8.self) }
                #expect(text == "old" || text == "the new notes", "\(kind) \(bytes)")
            }
        }
    }
}
