import PurchaseEvents
import PurchaseProjections

// Billing retries and grace (G6.6).
extension SlowChecker {
    static let retries: [(id: String, marks: Judge)] = [
        (
            "retry-is-bounded",
            { log in
                log.apart.flatMap { SlowLines($0).longRetries + SlowCoverage($0).afterGrace }
            }
        )
    ]
}

extension SlowLines {
    private struct Step {
        /// Whether the store retries after the step, or renewed by it; `nil` for any other end.
        var isFailure: Bool?
        var isRetrying = true
        var at: Timestamp
        var line: Int
        /// The end of the grace that a failure states.
        var grace: Timestamp?
    }

    fileprivate var longRetries: [Mark] { originals.flatMap(longRetries) }

    private func longRetries(_ original: TransactionID<Written>) -> [Mark] {
        let stated = places.compactMap { place -> Step? in
            let event = log.events[place]
            guard event.fact.original == original else { return nil }
            let at = event.signedAt ?? event.at
            if case .renewalFailed(let said) = event.fact {
                return Step(
                    isFailure: true, isRetrying: said.retrying ?? true, at: at, line: place + 1,
                    grace: said.graceExpiresAt)
            }
            return event.type == .renewalExpired ? Step(at: at, line: place + 1) : nil
        }
        guard stated.contains(where: { $0.isFailure == true }) else { return [] }
        let paid = periods(of: original).filter(\.isOne)
        let begun = paid.map { period in
            let renewals = log.events.compactMap { event -> Bool? in
                guard case .renewalRenewed(let said) = event.fact,
                    said.transaction == period.transaction
                else { return nil }
                return event.signedAt.map { $0 < said.purchasedAt } ?? false
            }
            // One that is signed ahead follows another period.
            let isRenewed = !renewals.isEmpty && !renewals.contains(true)
            return Step(
                isFailure: isRenewed ? false : nil, at: period.start, line: attestedLine(period))
        }
        let monthly = members(of: original).filter { $0.terms.plan == .monthly }
        /// Whether a retry lasts too long; a plan that is sold after it doesn't excuse it.
        func isTooLong(_ first: Timestamp, to end: Timestamp) -> Bool {
            let isMonthly = monthly.contains { $0.start.map { $0 <= end } ?? true }
            return first.distance(to: end) > (isMonthly ? 90 : 60) * Timestamp.day
        }
        let steps = (stated + begun).sorted { ($0.at, $0.line) < ($1.at, $1.line) }
        var marks: [Mark] = []
        var first: Timestamp?
        for step in steps {
            // A renewal in grace is dated where the failed period ended, before the failure, and
            // the store tries to renew a period from a day before its end.
            let isAnswered = paid.contains { period in
                guard step.isFailure == true else { return false }
                let end = period.ended == .upgraded ? period.accessEnd : period.end
                return (period.start, attestedLine(period)) < (step.at, step.line)
                    && (step.grace.map { $0 < end } ?? false
                        || step.at.distance(to: end) > Timestamp.day)
            }
            if isAnswered { continue }
            let isOpen = step.isFailure == true && step.isRetrying
            if isOpen || step.isFailure == false, let first, isTooLong(first, to: step.at) {
                marks.append(Mark(line: step.line, level: .warning))
            }
            first = isOpen ? first ?? step.at : nil
        }
        let end = log.events.map(\.at).max() ?? .earliest
        if let first, isTooLong(first, to: end), isRenewing(original) != false {
            let named = places.last {
                log.events[$0].transaction == original || log.events[$0].fact.original == original
            }
            let last = max(steps.map(\.line).max() ?? 0, (named ?? -1) + 1)
            marks.append(Mark(line: last, level: .note))
        }
        return marks
    }
}

extension SlowCoverage {
    /// Uses by accounts whose access ended last with a grace period.
    fileprivate var afterGrace: [SlowChecker.Mark] {
        log.each(.warning) { place in
            switch log.events[place].fact {
            case .contentOpened(let content):
                // Other rules judge content with a publication date.
                if lines.publications.contains(where: { $0.content == content }) { return false }
            case .deliveryUnlocked: break
            case _: return false
            }
            let knowsGrace = log.events[..<place].contains { event in
                guard case .renewalFailed(let said) = event.fact else { return false }
                return said.graceExpiresAt != nil
            }
            guard knowsGrace else { return false }
            let answer = answer(place)
            return !answer.isCovered && answer.refunded.isEmpty && !answer.isUnclear
                && endedLast(place)?.endsInGrace == true
        }
    }
}
