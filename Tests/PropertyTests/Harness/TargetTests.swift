import Foundation
import PurchaseEvents
import PurchaseSimulation
import Testing

/// A property's cases are kept, and steered to great numbers.
struct TargetTests {
    /// A fault that needs a full wallet: 30 purchases of at most ten units each, together at least
    /// 240 of 300.
    private func wallet(steered: Bool) -> Property {
        Property("a wallet has room", cases: 1_000) { trial in
            let units = (0..<30).map { _ in trial.choices.number(in: 1...10) }.reduce(0, +)
            if steered { trial.target(units) }
            return units >= 240 ? "\(units) units" : nil
        }
    }

    @Test func `steering finds what as many random cases miss`() throws {
        #expect(wallet(steered: false).run().counterexample == nil)
        let found = try #require(wallet(steered: true).run().counterexample)
        #expect(found.problem == "240 units")
        #expect(wallet(steered: true).run().counterexample?.number == found.number)
    }

    @Test func `a failing case is kept, and tried first until it holds`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())/cases")
        defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        func property(cases: Int, failing: Int64) -> Property {
            Property("no 7!", cases: cases, corpus: folder.path) { trial in
                trial.choices.choose(below: 10_000) == failing ? "it is" : nil
            }
        }
        let first = property(cases: 100_000, failing: 7).run()
        #expect(first.counterexample?.choices == [7] && first.corpusProblem == nil)
        let file = folder.appending(path: "no-7-.choices")
        #expect(try String(contentsOf: file, encoding: .utf8) == "7\n")
        #expect(property(cases: 0, failing: 7).run().counterexample?.choices == [7])
        #expect(property(cases: 0, failing: 8).run().counterexample == nil)
        try "?\n\n1 2\n8\n".write(to: file, atomically: true, encoding: .utf8)
        #expect(property(cases: 0, failing: 8).run().counterexample?.choices == [8])
    }

    @Test func `a case that can't be kept is reported, and says why`() {
        let property = Property("never", corpus: "/dev/null/cases") { _ in "no" }
        let result = property.run()
        #expect(result.counterexample != nil && result.corpusProblem != nil)
    }
}
