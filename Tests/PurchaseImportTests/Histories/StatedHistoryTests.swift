import PurchaseProjections
import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// A simulated customer as the App Store states it: the order and repetition of documents change
/// nothing, and the import gives what was generated.
struct StatedHistoryTests {
    private func importing(
        _ texts: [String], roots: TrustedRoots? = nil
    ) throws -> ImportResult {
        var options = ImportOptions()
        options.verifies = roots != nil
        options.roots = roots ?? options.roots
        let files = texts.enumerated().map { ImportFile("\($0)", $1) }
        return AppStoreImporter().log(of: files, options: options)
    }

    @Test func `shuffled and doubled documents show the same for 200 orders`() throws {
        let seeds = UInt64(Effort.of(whole: 4, part: 1))
        let orders = Effort.of(whole: 50, part: 3)
        for seed in 1...seeds {
            let history = try StatedHistory(seed: seed)
            let documents = try history.documents()
            let first = try importing(documents)
            #expect(first.remarks.filter { $0.level == .error }.isEmpty, "\(first.remarks)")
            let rows = try Checking.rows(of: first.log, asOf: history.end)
            #expect(rows.contains { !$0.isEmpty })
            var dice = Dice(seed: seed)
            for order in 0..<orders {
                var shuffled = documents + documents.filter { _ in dice.below(2) == 0 }
                shuffled.shuffle(using: &dice)
                let again = try importing(shuffled)
                let others = try Checking.rows(of: again.log, asOf: history.end)
                guard others != rows else { continue }
                Issue.record("seed \(seed), order \(order): \(others), expected \(rows)")
                break
            }
        }
    }

    @Test(arguments: UInt64(1)...Effort.of(whole: 20, part: 3))
    func `what is imported entitles to what was generated`(seed: UInt64) throws {
        let history = try StatedHistory(seed: seed)
        let imported = try importing(try history.documents())
        let expected = try told(history.log, at: history.end)
        let seen = try told(imported.log, at: history.end)
        #expect(seen == expected, "seed \(seed)")
    }

    @Test func `signed by keys of the test's own, all signatures hold`() throws {
        let history = try StatedHistory(seed: 2, events: 60)
        let texts = try history.documents(isSigned: true)
        let roots = try TrustedRoots(certificates: [
            TestChain.payload.rootPEM, TestChain.receipt.rootPEM,
        ])
        let result = try importing(texts, roots: roots)
        #expect((result.tally.signatures[.valid] ?? 0) >= 6)
    }

    /// The rows that both logs can show: the entitlements, and the lines with their periods. Only
    /// the app states a consumable's quantity and a pass's end.
    private func told(_ log: [UInt8], at instant: Timestamp) throws -> [String] {
        let show = try Checking.show(log, asOf: instant)
        let entitlements = show.rows(of: Entitlements.self).filter {
            $0.kind == .autoRenewable || $0.kind == .nonConsumable
        }.map { row in
            [
                "entitled", row.account ?? "", row.product ?? "", "\(row.isActive)",
                row.original ?? "", row.from?.text ?? "", row.until?.text ?? "", row.ended ?? "",
            ].joined(separator: " ")
        }
        let lines = show.rows(of: Subscriptions.self).map { row in
            let periods = row.periods.map {
                "\($0.product ?? "") \($0.transaction) \($0.from.text) \($0.until.text) "
                    + ($0.ended ?? "")
            }
            return ["line", row.account ?? "", row.original, "\(row.status)"].joined(separator: " ")
                + " " + periods.joined(separator: "; ")
        }
        return (entitlements + lines).sorted()
    }
}
