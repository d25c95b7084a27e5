import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseRecorder
import Testing

/// The article "Record your first purchase" is true.
struct ThemeShopTests {
    @Test func `the first purchase leaves the log that the article shows`() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "theme-shop-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "purchases.jsonl").path
        let clock = TestClock(), queue = TestQueue(), shop = ThemeShop()
        let recorder = try shop.open(log: path, queue: queue, settings: clock.settings)
        try recorder.launch()
        recorder.requestProducts(["theme"])
        recorder.received([TestProduct(observedProduct: "theme")], invalid: [])
        try shop.buyTheme(for: "7c9e6679-7425-40de-944b-e07fc1f90ae7")
        let payment = TestTransaction(.purchasing, "theme")
        recorder.updated([payment])
        payment.purchase("4700019964686124", at: clock.now)
        recorder.updated([payment])
        recorder.removed([payment])
        #expect(shop.hasTheme)
        #expect(shop.messages == [])
        #expect(queue.calls == ["begin", "products theme", "add theme", "finish 4700019964686124"])
        recorder.ledger.close()

        var types: [String] = []
        let reader = LogReader()
        var check = Check(names: reader.decoder.names)
        try reader.read(logAt: path) { line in
            if let type = line.event?.type.wireName { types.append(type) }
            check.observe(line)
            return true
        }
        #expect(check.finish().allSatisfy { $0.report.findings.isEmpty })
        let article = try String(
            contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(
                    path: "../../../Sources/PurchaseRecorder/PurchaseRecorder.docc/"
                        + "RecordYourFirstPurchase.md"
                ).standardized.path, encoding: .utf8)
        #expect(types.count == 12)
        #expect(article.contains("```\n" + types.joined(separator: "\n") + "\n```"))
    }
}
