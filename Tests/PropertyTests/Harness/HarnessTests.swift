import PurchaseEvents
import Testing
import PurchaseSimulation

struct HarnessTests {
    /// A property that is known to be false: it must be caught and shrunk to its smallest log.
    @Test func `the canary is caught and shrunk to its smallest log`() throws {
        let canary = Property("nobody ever finishes anything", seed: 7) { trial in
            let history = try History(trial.choices)
            trial.show(history.log)
            return history.events.contains { $0.type == .queueFinished } ? "somebody did" : nil
        }
        let found = try #require(canary.run().counterexample)
        let types = found.lines.map { $0.split(separator: "\"")[9] }
        #expect(types.first == "log.opened" && types.last == "queue.finished")
        // The log is opened, the app launched and observed, and a short way leads to a finish.
        #expect(found.lines.count <= 9, "\(found)")
        #expect(canary.replay(found.choices)?.lines == found.lines)
        #expect("\(found)".contains("property.replay(["))
        #expect("\(found)".contains("seed 7, case"))
        #expect("\(found)".contains(found.lines[0]))
    }

    @Test func `numbers shrink to the least that fails`() throws {
        let property = Property("no number of a pair is above 1,000") { trial in
            let bound = trial.choices.number(in: 1...100_000)
            let pair = (trial.choices.choose(below: bound), trial.choices.choose(below: bound))
            return max(pair.0, pair.1) > 1_000 ? "\(pair)" : nil
        }
        let found = try #require(property.run().counterexample)
        #expect(found.problem == "(0, 1001)" || found.problem == "(1001, 0)", "\(found)")
    }

    @Test func `every list of choices is tried once, the simplest first`() {
        var seen: [[Int64]] = []
        let choices = ExhaustiveChoices(limit: 10)
        repeat {
            let first = choices.choose(below: 3)
            seen.append([first] + (0..<first).map { _ in choices.choose(below: 2) })
        } while choices.advance()
        #expect(seen == [[0], [1, 0], [1, 1], [2, 0, 0], [2, 0, 1], [2, 1, 0], [2, 1, 1]])
    }

    @Test func `the exhaustive run finds what the random one may miss`() {
        let property = Property("no two numbers are 6 and 4") { trial in
            let pair = (trial.choices.choose(below: 7), trial.choices.choose(below: 7))
            trial.count("pairs")
            return pair == (6, 4) ? "they are" : nil
        }
        let result = property.runExhaustively(limit: 2)
        #expect(result.counterexample?.choices == [6, 4])
        #expect(result.statistics.cases == 6 * 7 + 5)
        #expect("\(result.statistics)" == "pairs: 47 in 47 of 47 cases")
    }

    @Test func `equal seeds give equal histories, different seeds different ones`() throws {
        let bytes = try [1, 1, 2].map { try GeneratedLog(SeededChoices(seed: $0)).bytes }
        #expect(bytes[0] == bytes[1])
        #expect(bytes[0] != bytes[2])
    }

    @Test func `recorded choices reproduce a history`() throws {
        for seed in 0..<50 as Range<UInt64> {
            let choices = RecordingChoices(SeededChoices(seed: seed))
            let log = try GeneratedLog(choices, faults: Set(Fault.allCases))
            let again = RecordedChoices(choices.chosen)
            #expect(try GeneratedLog(again, faults: Set(Fault.allCases)).bytes == log.bytes)
            #expect(again.chosen == choices.chosen)
        }
    }
}
