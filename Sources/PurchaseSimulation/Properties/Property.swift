import PurchaseEvents

/// A statement that must hold for everything a generator makes from its choices.
///
/// The body generates a case from ``Trial/choices`` alone and returns a description of the problem,
/// or `nil` if the statement holds. A failing case is shrunk by its choices, so shrinking works for
/// every generator, however its draws depend on each other.
public struct Property {
    /// The statement, for messages.
    public let name: String
    /// The number of cases to try.
    public var cases: Int
    /// The seed of the first case, from which the other seeds follow.
    public var seed: UInt64
    /// The maximum number of simpler cases to try after a failure.
    public var shrinks: Int
    /// The folder that keeps the choices of failing cases, to try them first in the next run; `nil`
    /// keeps none.
    public var corpus: String?
    private let body: (Trial) throws -> String?

    /// Creates a property to try on a number of cases.
    ///
    /// With a `corpus`, a folder that is made if needed, the choices of each counterexample are
    /// kept in a file named after the property, and ``run()`` tries them first: a fault that was
    /// found once is found at once, and stays away once it is mended. Commit the folder to share
    /// them.
    public init(
        _ name: String, cases: Int = 1_000, seed: UInt64 = 1, shrinks: Int = 2_000,
        corpus: String? = nil, _ body: @escaping (Trial) throws -> String?
    ) {
        (self.name, self.cases, self.seed) = (name, cases, seed)
        (self.shrinks, self.corpus, self.body) = (shrinks, corpus, body)
    }

    /// Tries random cases; shrinks the first counterexample, which ends the run.
    ///
    /// The cases that the ``corpus`` keeps come first. Once a case has named a number with
    /// ``Trial/target(_:)``, every other case varies the case with the greatest number so far.
    public func run() -> PropertyResult {
        let known = corpus.map { Corpus(in: $0, of: name) }
        for choices in known?.choices ?? [] {
            guard let found = replay(choices) else { continue }
            return PropertyResult(statistics: Statistics(), counterexample: shrink(found))
        }
        var result = runAtRandom()
        if let known, let found = result.counterexample {
            result.corpusProblem = known.keep(found.choices)
        }
        return result
    }

    private func runAtRandom() -> PropertyResult {
        var statistics = Statistics()
        var best: (target: Int64, choices: [Int64])?
        for number in 0..<cases {
            let seeded = SeededChoices(seed: seed(of: number))
            let varied = best.flatMap { best in
                number % 2 == 1 ? VariedChoices(best.choices, seeded) : nil
            }
            let choices = RecordingChoices(varied ?? seeded)
            let trial = Trial(choices)
            let problem = outcome(of: trial)
            statistics.add(trial)
            if let target = trial.target, target >= best?.target ?? target {
                best = (target, choices.chosen)
            }
            guard let problem else { continue }
            let found = Counterexample(
                property: name, seed: seed, number: number, choices: choices.chosen,
                problem: problem, lines: trial.lines)
            // Replay the case to learn its marks, which guide the shrinking.
            return PropertyResult(
                statistics: statistics,
                counterexample: shrink(replay(found.choices)?.named(like: found) ?? found))
        }
        return PropertyResult(statistics: statistics, counterexample: nil)
    }

    /// Tries every list of choices in which all choices after the first `limit` are 0.
    public func runExhaustively(limit: Int) -> PropertyResult {
        var statistics = Statistics()
        let choices = ExhaustiveChoices(limit: limit)
        repeat {
            let trial = Trial(choices)
            let problem = outcome(of: trial)
            statistics.add(trial)
            guard let problem else { continue }
            let found = Counterexample(
                property: name, seed: nil, number: statistics.cases - 1, choices: choices.chosen,
                problem: problem, lines: trial.lines)
            return PropertyResult(statistics: statistics, counterexample: shrink(found))
        } while choices.advance()
        return PropertyResult(statistics: statistics, counterexample: nil)
    }

    /// Tries the case made from a list of choices; returns `nil` if the statement holds.
    public func replay(_ choices: [Int64]) -> Counterexample? {
        let recorded = RecordedChoices(choices)
        let trial = Trial(recorded)
        guard let problem = outcome(of: trial) else { return nil }
        // Every choice after the end of the list is 0, so trailing zeros are redundant.
        var chosen = recorded.chosen
        while chosen.last == 0 { chosen.removeLast() }
        return Counterexample(
            property: name, seed: nil, number: 0, choices: chosen, problem: problem,
            lines: trial.lines, marks: recorded.marks.filter { $0 < chosen.count })
    }

    /// The seed of a case; seeds of adjacent cases are unrelated.
    private func seed(of number: Int) -> UInt64 {
        SeededChoices.mix(seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    }

    private func outcome(of trial: Trial) -> String? {
        do {
            return try body(trial)
        } catch {
            return "an error was thrown: \(error)"
        }
    }

    private func shrink(_ found: Counterexample) -> Counterexample {
        var shrinker = Shrinker(found, budget: shrinks) { choices in
            replay(choices)?.named(like: found)
        }
        return shrinker.shrink()
    }
}

/// One case of a property: its choices, and what to report about it.
public final class Trial {
    /// The choices from which to generate the case.
    public let choices: any ChoiceSource
    /// The lines to show if the case fails: its log.
    public private(set) var lines: [String] = []
    /// The number of times each named thing was seen, for the statistics.
    fileprivate var counts: [String: Int] = [:]

    /// The greatest number that the case named.
    fileprivate var target: Int64?

    init(_ choices: any ChoiceSource) { self.choices = choices }

    /// Names a number that later cases should make greater, because faults live where it is great:
    /// the events of one transaction, or the units that an account holds.
    public func target(_ number: Int64) { target = max(number, target ?? number) }

    /// Counts occurrences of something for the statistics.
    public func count(_ what: String, _ times: Int = 1) { counts[what, default: 0] += times }

    /// Sets the events to show if the case fails, each as its canonical line.
    ///
    /// Throws `WritingProblem` if the format can't hold an event.
    public func show(_ events: [Event<Written>]) throws(WritingProblem) {
        lines = []
        for event in events {
            lines.append(String(decoding: try LineWriter.line(of: event), as: UTF8.self))
        }
    }

    /// Sets the lines to show if the case fails.
    public func show(lines: [String]) { self.lines = lines }
}

/// The result of running a property.
public struct PropertyResult {
    /// Statistics of the generated cases.
    public let statistics: Statistics
    /// The simplest failing case found, or `nil` if every case holds.
    public let counterexample: Counterexample?
    /// Why the failing case couldn't be kept in the corpus; `nil` if it was kept, or without a
    /// corpus.
    public internal(set) var corpusProblem: EventLogError?
}

/// The number of cases in a run, and how often each named thing was seen.
public struct Statistics: CustomStringConvertible {
    /// The number of cases.
    public private(set) var cases = 0
    /// For each name, how often it was seen and in how many cases.
    public private(set) var counts: [String: (times: Int, cases: Int)] = [:]

    fileprivate mutating func add(_ trial: Trial) {
        cases += 1
        for (what, times) in trial.counts where times > 0 {
            counts[what, default: (0, 0)].times += times
            counts[what, default: (0, 0)].cases += 1
        }
    }

    /// One line for each name, sorted by name.
    public var description: String {
        let rows = counts.sorted { $0.key < $1.key }.map {
            "\($0.key): \($0.value.times) in \($0.value.cases) of \(cases) cases"
        }
        return rows.joined(separator: "\n")
    }
}
