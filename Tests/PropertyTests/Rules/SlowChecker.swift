import PurchaseEvents
import PurchaseProjections

/// Rules again, slow and obvious: lists and loops over the whole log, without a state machine or
/// facts, written from the statements of the rules.
///
/// Every line of the log is an event. Rules about subscriptions read each environment by itself;
/// the others expect no line that names one.
struct SlowChecker {
    /// A finding: its line and level.
    struct Mark: Hashable, CustomStringConvertible {
        var line: Int
        var level: Level
        var description: String { "\(line) \(level)" }
    }

    let events: [Event<Written>]
    /// The events of all environments, where the others are of one.
    var whole: [Event<Written>]?

    typealias Judge = @Sendable (SlowChecker) -> [Mark]

    /// The known rules, by id.
    static let rules: [(id: String, marks: Judge)] =
        log + queue + delivery + receipt + renewals + owners + units + coverage + retries
        + grants + downloads

    /// The log with a remark in place of each line of another environment; what the catalogue says
    /// and what was published holds in all of them.
    func only(production: Bool) -> SlowChecker {
        SlowChecker(
            events: events.map { event in
                let isOfAll = ["catalog", "log"].contains {
                    event.type.wireName.hasPrefix("\($0).")
                }
                if isOfAll || event.type == .contentPublished { return event }
                let isOfProduction = (event.environment ?? ofLog) == .production
                return isOfProduction == production
                    ? event : Event(seq: event.seq, at: event.at, .logNoted(text: "elsewhere"))
            }, whole: events)
    }

    /// The log of each environment by itself: they never mix (G9.3).
    var apart: [SlowChecker] { [only(production: true), only(production: false)] }

    /// The environment of lines that name none.
    var ofLog: Environment { events.first?.environment ?? .production }

    /// Whether the log is of production.
    var isProduction: Bool { ofLog == .production }

    /// The lines whose events are wrong.
    func each(_ level: Level, _ isWrong: (Int) -> Bool) -> [Mark] {
        events.indices.filter(isWrong).map { Mark(line: $0 + 1, level: level) }
    }

    /// The earlier places that meet a condition, in order.
    func places(before place: Int, where matches: (Event<Written>) -> Bool) -> [Int] {
        events[..<place].indices.filter { matches(events[$0]) }
    }

    /// The nearest earlier place that meets a condition.
    func last(before place: Int, where matches: (Event<Written>) -> Bool) -> Int? {
        events[..<place].indices.last { matches(events[$0]) }
    }

    /// The first place at which a key appears among the places that meet a condition.
    func isFirst<Key: Equatable>(_ place: Int, _ key: (Int) -> Key?) -> Bool {
        guard let own = key(place) else { return false }
        return !events[..<place].indices.contains { key($0) == own }
    }
}

// The log, and notifications.
extension SlowChecker {
    static let log: [(id: String, marks: Judge)] = [
        (
            "sequence-unbroken",
            { log in
                log.each(.error) {
                    log.events[$0].seq != ($0 == 0 ? 0 : log.events[$0 - 1].seq) + 1
                }
            }
        ),
        ("secret-right", { log in log.each(.error) { log.isOfWrongSecret($0) } }),
        ("notification-once", { log in log.each(.note) { log.isRepeated($0) } }),
        ("statements-in-order", { log in log.each(.note) { log.isCrossing($0) } }),
    ]

    private func receptions(_ notification: NotificationID<Written>) -> [Int] {
        events.indices.filter { place in
            guard case .notificationReceived(let said) = events[place].fact else { return false }
            return said.notification == notification
        }
    }

    private func isOfWrongSecret(_ place: Int) -> Bool {
        guard let source = events[place].source else { return false }
        let all = receptions(source)
        guard let judged = all.last(where: { $0 <= place }) ?? all.first,
            case .notificationReceived(let said) = events[judged].fact
        else { return false }
        return said.secret == .wrong || said.signature == .invalid
    }

    private func isRepeated(_ place: Int) -> Bool {
        guard let source = events[place].source else { return false }
        return receptions(source).filter { $0 < place }.count > 1
    }

    private func isCrossing(_ place: Int) -> Bool {
        guard let signed = events[place].signedAt, let line = lineKey(place, upTo: place) else {
            return false
        }
        return places(before: place) { $0.signedAt.map { $0 > signed } ?? false }.contains {
            lineKey($0, upTo: place) == line && !isOfSameNotification($0, place)
        }
    }

    private func isOfSameNotification(_ place: Int, _ other: Int) -> Bool {
        events[place].source != nil && events[place].source == events[other].source
    }

    /// The original of the line that a statement is about, as known at a place.
    private func lineKey(_ statement: Int, upTo place: Int) -> TransactionID<Written>? {
        let types: [EventType] = [
            .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
            .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
            .renewalTurnedOn, .renewalPlanChanged, .renewalPriceIncreased, .renewalExtended,
            .cancellationRefunded, .cancellationRevoked, .cancellationReversed,
            .cancellationRequested, .cancellationDeclined,
        ]
        guard types.contains(events[statement].type) else { return nil }
        if let original = events[statement].fact.original { return original }
        guard let id = events[statement].transaction else { return nil }
        // The first line that its transaction is put in, as the rule's statement says.
        return (statement...place).lazy.map { original(of: id, upTo: $0) }.first { $0 != id } ?? id
    }
}
