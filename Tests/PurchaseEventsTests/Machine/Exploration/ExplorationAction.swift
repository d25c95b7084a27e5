import PurchaseEvents

/// A step of an ``Exploration``, prepared for noon and midnight.
struct ExplorationAction {
    let step: ExplorationStep
    private let noon: Prepared, midnight: Prepared

    init(_ step: ExplorationStep) throws {
        self.step = step
        noon = try Prepared(step, at: ExplorationAction.noon)
        midnight = try Prepared(step, at: ExplorationAction.midnight)
    }

    static let noon = History.hour(12), midnight = History.hour(24)

    /// The time of events before and after ``ExplorationStep/waits``.
    static func time(isLate: Bool) -> Timestamp { isLate ? midnight : noon }

    /// The events of the step, as the ledger evolves by them.
    func events(isLate: Bool) -> [Event<Fingerprinted>] { (isLate ? midnight : noon).events }

    /// Adds the lines of the step, with the names of a numbered history.
    func appendLines(isLate: Bool, history: Int, to log: inout [UInt8]) {
        (isLate ? midnight : noon).appendLines(history: history, to: &log)
    }
}

/// The events of a step at a time, and their lines with the positions where names end.
private struct Prepared {
    let events: [Event<Fingerprinted>]
    private let lines: [UInt8]
    private let suffixes: [Int]

    init(_ step: ExplorationStep, at instant: Timestamp) throws {
        var (account, environment) = (ExplorationScene.me, Environment?.none)
        let facts: [Fact<Written>]
        switch step {
        case .says(let fact, let other, let place):
            facts = [fact]
            account = other ?? account
            environment = place
        case .does(let command): facts = command.facts
        case .waits: facts = [.logNoted(text: "midnight")]
        }
        let decoder = LineDecoder()
        var events: [Event<Fingerprinted>] = []
        var lines: [UInt8] = []
        for fact in facts {
            let line = try LineWriter.line(
                of: Event(
                    seq: 1, at: instant, account: account, device: ExplorationScene.device,
                    environment: environment, fact))
            lines += line
            // A line from the writer is always an event.
            if case .event(let event) = line.withUnsafeBytes({ decoder.decodeFingerprinted($0) }) {
                events.append(event)
            }
        }
        self.events = events
        self.lines = lines
        let suffix = Array(ExplorationScene.suffix.utf8)
        suffixes = lines.indices.filter { lines[$0...].starts(with: suffix) }
    }

    func appendLines(history: Int, to log: inout [UInt8]) {
        let start = log.count
        log += lines
        for place in suffixes {
            var rest = history
            for digit in (1..<ExplorationScene.suffix.utf8.count).reversed() {
                log[start + place + digit] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
    }
}
