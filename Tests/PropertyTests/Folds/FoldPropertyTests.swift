import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing
import PurchaseSimulation

struct FoldPropertyTests {
    /// A fold is a value: a copy taken at any line and continued gives the same result as the
    /// whole.
    @Test func `folding may be interrupted and continued`() {
        expectHolds("folding may be interrupted and continued") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 80)
            trial.show(log)
            let cut = Int(trial.choices.choose(below: Int64(log.count)))
            let reader = LogReader()
            var show = Show(ProjectionCatalogue.all, names: reader.decoder.names)
            var rules = Check(names: reader.decoder.names)
            var kept: (Show, Check)?
            try reader.read(MemorySource(log.bytes)) { line in
                if line.number == cut + 1 { kept = (show, rules) }
                show.observe(line)
                rules.observe(line)
                return true
            }
            guard var (continuedShow, continuedRules) = kept else { return "nothing was kept" }
            let whole = (Folding.rows(show), rules.finish().findings(.error, .warning, .note))
            let again = LogReader(decoder: reader.decoder)
            try again.read(MemorySource(log.bytes)) { line in
                guard line.number > cut else { return true }
                continuedShow.observe(line)
                continuedRules.observe(line)
                return true
            }
            if Folding.rows(continuedShow) != whole.0 { return "other rows after line \(cut)" }
            let findings = continuedRules.finish().findings(.error, .warning, .note)
            return findings == whole.1 ? nil : "other findings after line \(cut)"
        }
    }

    @Test func `a log shown up to a line equals the log cut after that line`() {
        expectHolds("a log shown up to a line equals the log cut after that line") { trial in
            let log = try GeneratedLog(trial.choices, upTo: 80)
            trial.show(log)
            let last = Int(trial.choices.number(in: 1...Int64(log.count)))
            let stopped = try Folding.rows(Folding.show(log.bytes, upTo: last))
            let cut = try Folding.rows(Folding.show(Folding.prefix(log.bytes, last)))
            return stopped == cut ? nil : "line \(last) shows something else"
        }
    }

    /// The rows of one account don't depend on events of other accounts.
    @Test func `a log split by account gives the rows of the whole log`() {
        expectHolds("a log split by account gives the rows of the whole log") { trial in
            let history = try History(trial.choices, upTo: 80)
            trial.show(history.log)
            // Without a catalogue, one account's receipt can state the kind of another account's
            // product.
            guard history.events.contains(where: { $0.type == .catalogListed }) else { return nil }
            let end = history.events.map(\.at).max()
            let whole = try Folding.show(history.bytes, asOf: end)
            for account in Set(history.events.compactMap(\.account)) {
                let own = history.events.filter { event in
                    event.account == nil || event.account == account || event.type == .catalogListed
                }
                let apart = try Folding.show(own.log(), asOf: end)
                for projection in ProjectionCatalogue.all {
                    let name = account.name
                    let rows = [whole, apart].map { show in
                        show.rows(of: projection, account: name).map { RowJSON.text(of: $0.fields) }
                    }
                    if rows[0] != rows[1] { return "\(projection.name) of \(name) differs" }
                }
            }
            return nil
        }
    }

    /// Permutes the facts that the App Store attests and repeats some of them, as a repeated
    /// notification or a page that is read twice would.
    @Test func `statements in any order and number give the same rows`() {
        let shown: [any Projection.Type] = [Entitlements.self, Subscriptions.self, Accounts.self]
        expectHolds("statements in any order and number give the same rows") { trial in
            let history = try History(trial.choices, upTo: 80)
            trial.show(history.log)
            var moved = history.events
            let places = moved.indices.filter { StatementTypes.all.contains(moved[$0].type) }
            for (index, place) in places.enumerated().reversed() {
                moved.swapAt(place, places[Int(trial.choices.choose(below: Int64(index + 1)))])
            }
            if !places.isEmpty {
                for number in 0..<trial.choices.choose(below: 6) {
                    repeatStatement(of: &moved, number, trial)
                }
            }
            let before = try Folding.show(history.bytes),
                after = try Folding.show(moved.log())
            for projection in shown {
                let rows = [before, after].map { show in
                    show.rows(of: projection).map { RowJSON.text(of: $0.fields) }
                }
                if rows[0] != rows[1] { return "\(projection.name): \(rows)" }
            }
            return nil
        }
    }

    /// Inserts one statement again somewhere, with an `id` of its own or without one.
    private func repeatStatement(
        of events: inout [Event<Written>], _ number: Int64, _ trial: Trial
    ) {
        let statements = events.filter { StatementTypes.all.contains($0.type) }
        var again = trial.choices.pick(statements)
        again.id = trial.choices.choose(below: 2) == 0 ? nil : "again-\(number)"
        // After `log.opened`, which is always the first line.
        let place = 1 + trial.choices.choose(below: Int64(events.count))
        events.insert(again, at: Int(place))
        trial.count("\(again.type.wireName) again")
    }

    /// Two threads decode while one folds many lines at once: the findings are the same.
    @Test func `threads and groups of lines don't change findings`() {
        expectHolds("threads and groups of lines don't change findings", cases: 100) { trial in
            let log = try GeneratedLog(trial.choices, faults: Set(Fault.allCases))
            let expected = try log.reports()
            for isSplit in [false, true] {
                let reader = LogReader(threads: 2)
                var rules = Check(names: reader.decoder.names)
                let ahead = isSplit ? rules.takeLineRules() : nil
                try reader.readLines(MemorySource(log.bytes), ahead: ahead?.observe) { lines in
                    rules.observe(lines)
                    return lines.count
                }
                if let difference = Folding.difference(rules.finish(), expected) {
                    return difference
                }
            }
            return nil
        }
    }
}

/// The event types whose order of arrival must not matter (event-log.md, 4).
enum StatementTypes {
    static let all = EventTypes(
        .receiptListed, .renewalStarted, .renewalRenewed, .renewalFailed, .renewalGraceExpired,
        .renewalExpired, .renewalTurnedOff, .renewalTurnedOn, .renewalPlanChanged,
        .renewalPriceIncreased, .renewalExtended, .cancellationRefunded, .cancellationRevoked,
        .cancellationReversed)
}
