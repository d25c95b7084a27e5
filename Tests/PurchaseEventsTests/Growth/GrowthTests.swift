import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import growth
@testable import replay

/// How the work of the tool grows with a log, measured as the processor time of the thread.
///
/// Tries every third shape at a size for debug builds; `Tests/Growth/run` tries all with the
/// release build, more commands and more lines.
@Suite(.serialized) struct GrowthTests {
    /// The most that four times the lines may cost, with room for noise.
    private static let most = 6.5

    private static let shapes = GrowthShape.all.filter { $0.input == .log }.enumerated()
        .filter { Effort.isWhole || $0.offset % 3 == 0 }.map(\.element)

    @Test(arguments: shapes.map(\.name))
    func `four times the lines take at most six and a half times the work`(_ name: String) throws {
        let shape = try #require(GrowthShape.all.first { $0.name == name })
        for command in [["check", "--summary"], ["show", "all"]] {
            let ratio = GrowthTests.ratio(shape, command)
            #expect(ratio <= GrowthTests.most, "\(name): \(command)")
        }
    }

    @Test func `the story of a payment with many purchases grows like them`() throws {
        let shape = try #require(GrowthShape.all.first { $0.name == "one-payment" })
        #expect(GrowthTests.ratio(shape, ["explain", "y"]) <= GrowthTests.most)
    }

    @Test func `edits grow like their number`() throws {
        let shape = try #require(GrowthShape.all.first { $0.name == "app.launched" })
        func time(_ count: Int) -> Double {
            let host = TestHost(["log": shape.text(4 * count)])
            let moves = (1...count).map { "--move=\(2 * $0):\(4 * count - $0)" }
            return (0..<2).map { _ in
                threadTime { _ = Tool.run(["edit", "log"] + moves, on: host, rules: []) }
            }
            .min() ?? 0
        }
        #expect(time(8_000) / time(2_000) <= GrowthTests.most)
    }

    @Test func `a rule that walks all earlier lines for each line is found`() throws {
        let shape = try #require(GrowthShape.all.first { $0.name == "accounts" })
        let ratio = GrowthTests.ratio(shape, of: 300, ["check"], [WalksAllLines.self])
        #expect(ratio > GrowthTests.most)
    }

    @Test func `each type of event that can repeat has a shape, and no two share a name`() {
        let names = GrowthShape.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 40)
        for type in EventType.allCases where type != .logOpened {
            #expect(names.contains(type.wireName))
        }
    }

    /// Almost every line of a shape is an event, so that it costs what its events cost.
    @Test(arguments: GrowthShape.all.filter { $0.input == .log }.map(\.name))
    func `a shape is a log of events`(_ name: String) throws {
        let shape = try #require(GrowthShape.all.first { $0.name == name })
        let host = TestHost(["log": shape.text(3)])
        let ran = replay("stats", "--format=json", "log", on: host)
        let isUnderstood = ran.output.contains("\"notUnderstood\":0")
        #expect(isUnderstood == (name != "not-understood"), "\(ran.output) \(ran.error)")
    }

    /// The work for four times the lines of a shape, as a multiple of the work for the lines.
    ///
    /// A ratio that is too high is measured several times, because a busy machine may slow a
    /// measurement down, and then from three times the lines on: work that begins at some number of
    /// lines is a step, and work that grows too fast does so there too.
    private static func ratio(_ shape: GrowthShape, _ command: [String]) -> Double {
        let count = min(shape.count / 10, 300)
        let first = ratio(shape, of: count, command, RuleCatalogue.all)
        guard first > most else { return first }
        return min(first, ratio(shape, of: count * 3, command, RuleCatalogue.all))
    }

    private static func ratio(
        _ shape: GrowthShape, of count: Int, _ command: [String], _ rules: [any Rule.Type]
    ) -> Double {
        var least = [Double.infinity, .infinity]
        for _ in 0..<6 {
            for (place, count) in [count, count * 4].enumerated() {
                let host = TestHost(["log": shape.text(max(1, count))])
                least[place] = min(
                    least[place],
                    threadTime { _ = Tool.run(command + ["log"], on: host, rules: rules) })
            }
            if least[1] / least[0] <= most { break }
        }
        return least[1] / least[0]
    }
}

/// The control: a rule whose work is quadratic on purpose.
private struct WalksAllLines: Rule {
    static let id = "walks-all-lines"
    static let level = Level.error
    static let statement = "No account has this line's number. This is a rule for tests."
    static let evidence = ["G4.8"]
    static let reads = EventTypes(.appLaunched)
    private var seen: [LineNumber] = []
    private var found = 0

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        seen.append(line.number)
        for _ in 0..<20 { for other in seen where other > line.number { found += 1 } }
    }
}
