import PurchaseEvents
import PurchaseSimulation
import TestSupport
import Testing

@testable import PurchaseProjections

/// Uses are compared with each access, or searched for where there are many: both give the same
/// answers.
struct AccessIndexTests {
    @Test func `searching many uses gives the answers of comparing each with all accesses`() {
        expectHolds("coverage of uses") { trial in
            let faults = Fault.allCases.filter { _ in trial.choices.happens(oncePer: 3) }
            let log = try GeneratedLog(trial.choices, faults: Set(faults), upTo: 400)
            trial.show(log)
            var (facts, uses, grants) = try AccessIndexTests.read(log.bytes)
            // Uses at other lines and instants, and of other targets, than those of the log.
            for use in uses where trial.choices.happens(oncePer: 2) {
                var other = use
                other.line = LineNumber(trial.choices.number(in: 0...Int64(log.count)))
                let days = trial.choices.number(in: -90...90)
                other.at = use.at.advanced(byMilliseconds: days * Timestamp.day)
                let late = trial.choices.number(in: 0...1) * Timestamp.day
                other.begunBy = other.at.advanced(byMilliseconds: late)
                uses.append(other)
            }
            facts.makeUnique()
            for owner in Set(uses.map(\.account)) {
                let scope = AccessScope(owner, facts.logEnvironment)
                let places = uses.indices.filter { uses[$0].account == owner }
                for grants in [nil, grants] {
                    let index = AccessIndex(scope, facts, grants)
                    var (all, found) = (
                        [Coverage](repeating: Coverage(), count: uses.count),
                        [Coverage](repeating: Coverage(), count: uses.count)
                    )
                    index.answer(uses, at: places, &all, few: .max)
                    index.answer(uses, at: places, &found, few: 0)
                    for place in places where !all[place].isLike(found[place]) {
                        return "\(uses[place]): \(all[place]), found \(found[place])"
                    }
                }
            }
            return nil
        }
    }

    /// The facts, uses and deliveries of a log.
    private static func read(_ bytes: [UInt8]) throws -> (Facts, [Use], GrantHistory) {
        let reader = LogReader()
        var facts = Facts(names: reader.decoder.names)
        var uses: [Use] = []
        var grants = GrantHistory()
        try reader.read(MemorySource(bytes)) { line in
            guard let event = line.eventPlace?.pointee else { return true }
            facts.observe(event, on: Line(line))
            grants.observe(event, on: LineNumber(line.number), facts)
            if let use = facts.use(event, LineNumber(line.number)) { uses.append(use) }
            if let product = event.fact.product {
                var use = facts.use(
                    of: .product(product), by: event.account, event, LineNumber(line.number))
                use.environment = facts.logEnvironment
                uses.append(use)
            }
            return true
        }
        return (facts, uses, grants)
    }
}

extension Coverage {
    /// Whether two answers say the same, though they may name other transactions.
    fileprivate func isLike(_ other: Coverage) -> Bool {
        guard isCovered == other.isCovered else { return false }
        // What is covered needs no other answer.
        if isCovered { return true }
        return Set(refunded) == Set(other.refunded)
            && (unclear == nil) == (other.unclear == nil)
            && lastEnded?.end == other.lastEnded?.end && lapsed?.end == other.lapsed?.end
    }
}
