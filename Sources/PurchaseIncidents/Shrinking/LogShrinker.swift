import PurchaseEvents
import PurchaseProjections

/// Finds a small log that still shows a fault.
///
/// The shrinker removes lines until none can be removed. Then it removes keys, reduces numbers and
/// brings times closer together, and repeats both until nothing changes. For a finding, it starts
/// with the lines that share names with the finding, and the result violates no rule at error level
/// that the whole log doesn't violate.
public struct LogShrinker {
    private let holds: (LogLines) throws -> Bool

    /// A smaller log.
    public struct Result: Sendable {
        /// The lines that remain, usually with `seq` from 1 and without `chain`.
        ///
        /// If that hides the fault, the lines keep their `seq`, or the whole log remains.
        public let lines: LogLines
        /// Whether no line can be removed; false if the search ended early.
        public let isMinimal: Bool
    }

    /// Creates a shrinker for a fault that your own test recognizes.
    public init(where holds: @escaping (LogLines) throws -> Bool) { self.holds = holds }

    /// The smallest log found for which the test still holds; `nil` if it doesn't hold for the
    /// whole log.
    ///
    /// - Parameters:
    ///   - log: The whole log.
    ///   - goesOn: Returns whether there is time for another test; a test that fails and leaves no
    ///     time may have been cut short.
    public func shrink(
        _ log: LogLines, while goesOn: @escaping () -> Bool = { true }
    ) throws -> Result? {
        guard try holds(log) else { return nil }
        let lines = RenumberedLines(log, isCounting: true)
        guard goesOn(), try holds(lines.log(Array(log.indices))) else {
            return Result(lines: log, isMinimal: false)
        }
        return try reduce(log, lines, while: goesOn)
    }

    /// The smallest log found that still has a given finding; `nil` if no selection of the log's
    /// lines shows it.
    ///
    /// Cost: one pass over the log, then a few thousand checks of small logs.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - finding: A finding of the log, with its line.
    ///   - findings: All the findings of the log.
    ///   - threads: The number of threads to use; the result does not depend on it.
    public static func shrink(
        _ log: LogLines, to finding: Finding, of findings: [Finding], threads: Int = 1
    ) throws -> Result? {
        guard let target = TargetFinding(finding) else { return nil }
        let named = try NamedLines(log, threads: threads)
        let test = FaultTest(
            target, in: findings, notUnderstood: named.all.count { $0.type == nil })
        var linked = LinkedLines(named, around: finding)
        while true {
            let slice = log.taking(linked.indices)
            for isCounting in [true, false] {
                let lines = RenumberedLines(slice, isCounting: isCounting)
                if try test.holds(lines.log(Array(slice.indices))) {
                    return try LogShrinker(where: test.holds).reduce(slice, lines) { true }
                }
            }
            guard linked.grow() else { return nil }
        }
    }

    private struct TimeIsOver: Error {}

    /// Reduces a log for which the test holds; `lines` are its lines, renumbered or not.
    private func reduce(
        _ log: LogLines, _ lines: RenumberedLines, while goesOn: @escaping () -> Bool
    ) throws -> Result {
        // The search goes on from each log for which the test holds, so the latest is the smallest.
        var reached = lines.log(Array(log.indices))
        do {
            return Result(
                lines: try minimum(of: log, lines) { lines in
                    guard goesOn() else { throw TimeIsOver() }
                    if try holds(lines) {
                        reached = lines
                        return true
                    }
                    guard goesOn() else { throw TimeIsOver() }
                    return false
                }, isMinimal: true)
        } catch is TimeIsOver {
            return Result(lines: reached, isMinimal: false)
        }
    }

    private func minimum(
        of log: LogLines, _ lines: RenumberedLines,
        where holds: @escaping (LogLines) throws -> Bool
    ) throws -> LogLines {
        let isOpened = log.count > 0 && LineDecoder().event(on: log[0])?.type == .logOpened
        let opened = isOpened ? [0] : []
        let rest = Array(log.indices.dropFirst(opened.count))
        let kept = try MinimalLines.find(in: rest) { (some: [Int]) throws -> Bool in
            try holds(lines.log(opened + some))
        }
        var reached = lines.log(opened + kept)
        // With other times, a key may be needed no more, and with fewer keys a line.
        for _ in 0..<LogShrinker.maximumRounds {
            var simpler = SimplerLines(reached, where: holds)
            try simpler.leaveOutKeys()
            try simpler.reduceNumbers()
            try simpler.compressTimes()
            let last = RenumberedLines(simpler.log, isCounting: lines.isCounting)
            let minimal = try MinimalLines.find(in: Array(opened.count..<reached.count)) {
                (some: [Int]) throws -> Bool in try holds(last.log(opened + some))
            }
            let smaller = last.log(opened + minimal)
            if smaller.bytes == reached.bytes { break }
            reached = smaller
        }
        return reached
    }

    /// Bounds the cost where each round would only move times a little; nearly always the second
    /// changes nothing.
    private static let maximumRounds = 8
}
