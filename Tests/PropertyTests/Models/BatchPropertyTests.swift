import Testing

@testable import PurchaseEvents
import PurchaseSimulation

/// A batch has the same bytes, whichever thread seals its lines.
struct BatchPropertyTests {
    /// An operation on a batch.
    private enum Step: CustomStringConvertible {
        case add(length: Int, hasID: Bool)
        case find(Int)
        case mark, rollBack

        var description: String {
            switch self {
            case .add(let length, let hasID): "add(\(length)\(hasID ? ", id" : ""))"
            case .find(let number): "find(\(number))"
            case .mark: "mark"
            case .rollBack: "take back"
            }
        }
    }

    /// Everything observable about a batch.
    private struct Seen: Equatable {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        var ids: [Fingerprint: Int64] = [:]
        var nextSeq: Int64 = 0
        var chain: Chain?
        var answers: [Appended] = []
        var found: [[UInt8]] = []
    }

    @Test func `lines sealed by another thread have the same bytes`() {
        expectHolds("lines sealed by another thread have the same bytes") { trial in
            let chained = trial.choices.choose(below: 8) > 0
            let portion = [1, 200, 400, 1_000][Int(trial.choices.choose(below: 4))]
            let steps = steps(trial.choices)
            trial.show(
                lines: ["chained: \(chained), portions of \(portion)"] + steps.map(\.description))
            let chain = chained ? Chain(head: Digest.zero, lines: 6) : nil
            let expected = try run(
                steps, BatchWriter(nextSeq: 7, chain: chain, parallelThreshold: 1, portion: portion)
            )
            let seen = try run(
                steps,
                BatchWriter(
                    nextSeq: 7, chain: chain, expecting: steps.count + 1, parallelThreshold: 1,
                    portion: portion))
            if expected.bytes.count > 4 * portion { trial.count("several portions") }
            if !expected.found.isEmpty { trial.count("found by id") }
            if seen != expected { return "the bytes are others" }
            guard var walk = chain else { return nil }
            for answer in seen.answers {
                let problem = answer.line.withUnsafeBytes { walk.follow($0) }
                if let problem { return "seq \(answer.seq): \(problem)" }
            }
            return walk == seen.chain ? nil : "the chain ends otherwise"
        }
    }

    private func steps(_ choices: any ChoiceSource) -> [Step] {
        (0..<choices.choose(below: 40)).map { _ in
            switch choices.choose(below: 40) {
            case 39: .rollBack
            case 38: .mark
            case 37: .find(Int(choices.choose(below: 20)))
            case 36: .add(length: 4_000, hasID: true)
            default:
                .add(
                    length: Int(choices.choose(below: 300)), hasID: choices.choose(below: 4) == 0)
            }
        }
    }

    private func run(_ steps: [Step], _ batch: consuming BatchWriter) throws -> Seen {
        var seen = Seen()
        var writer = MemberWriter()
        var savepoint = batch.savepoint
        for step in steps {
            switch step {
            case .add(let length, let hasID):
                let text = String(repeating: "x", count: length)
                let draft = Draft(at: Timestamp(milliseconds: 0), .logNoted(text: text))
                let id = Fingerprint(high: 0, low: UInt64(batch.nextSeq % 20))
                try writer.writeLine(of: draft.event, batch.nextSeq)
                try batch.add(writer, id: hasID ? id : nil)
            case .find(let number):
                let id = Fingerprint(high: 0, low: UInt64(number))
                if let line = batch.line(withID: id) { seen.found.append(line) }
            case .mark: savepoint = batch.savepoint
            case .rollBack: batch.rollBack(to: savepoint)
            }
        }
        let made = batch.finish()
        seen.bytes = made.bytes
        seen.ends = made.lines.ends
        seen.ids = made.ids
        seen.nextSeq = made.nextSeq
        seen.chain = made.chain
        seen.answers = made.results()
        return seen
    }
}
