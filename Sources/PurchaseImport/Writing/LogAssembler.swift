import PurchaseEvents

/// Puts what sources state into one log: in the order of their dates, each content once, numbered
/// and dated.
struct LogAssembler {
    private let options: ImportOptions
    private var result = ImportResult()
    private var places: [String: ImportPlace] = [:]

    /// An assembler without any events yet.
    init(options: ImportOptions) { self.options = options }

    /// The log of the sources; no events where there is no source.
    mutating func assemble(_ sources: [StatedSource]) -> ImportResult {
        let dated = LogAssembler.dated(sources)
        guard let first = dated.first else { return result }
        if first.date == nil, options.recordedAt == nil {
            remark(
                .note, first.source.place,
                "no date is known to record it by; 1970 is taken, a recorded-at time is wanted")
        }
        let opened = LogOpened<Written>(
            schema: 1, app: app(of: sources), writer: options.writer)
        append(
            Event(seq: 1, at: at(first.date), .logOpened(opened)), of: first.source)
        for (source, date) in dated { append(source, at: at(date)) }
        remarkOnUsers(of: dated.map(\.source))
        return result
    }

    private func at(_ date: Timestamp?) -> Timestamp {
        options.recordedAt ?? date ?? Timestamp(milliseconds: 0)
    }

    /// The sources by their dates; one without stays with the one before it in the input.
    private static func dated(
        _ sources: [StatedSource]
    ) -> [(source: StatedSource, date: Timestamp?)] {
        var date = sources.compactMap(\.date).min()
        let dated = sources.map { source in
            date = source.date ?? date
            return (source: source, date: date)
        }
        return dated.enumerated().sorted { left, right in
            let dates = (left.element.date ?? .earliest, right.element.date ?? .earliest)
            return (dates.0, left.offset) < (dates.1, right.offset)
        }.map(\.element)
    }

    /// The app that all sources are of which name one.
    private mutating func app(of sources: [StatedSource]) -> String? {
        var app: String?
        for source in sources {
            guard let other = source.app else { continue }
            if let known = app, known != other {
                remark(
                    .warning, source.place,
                    "seen the app `\(EscapedText.escape(other))` beside "
                        + "`\(EscapedText.escape(known))`; a log is of one app")
                return nil
            }
            app = other
        }
        return app
    }

    /// Remarks, once, where receipts may be of different users.
    private mutating func remarkOnUsers(of sources: [StatedSource]) {
        var receipts = NamelessReceipts()
        for source in sources {
            guard let first = receipts.stranger(source) else { continue }
            return remark(
                .note, source.place,
                "neither this receipt nor that at \(EscapedText.escape(first.file)):\(first.line) "
                    + "names an account, and they have no purchase in common: if they are of "
                    + "different users, the log doesn't tell them apart")
        }
    }

    private mutating func append(_ source: StatedSource, at: Timestamp) {
        let isNotification = source.received != nil
        if let received = source.received {
            append(event(received, at, source.environment), of: source)
        }
        if let earlier = places[source.identity] {
            remark(
                .note, source.place,
                "the same content as at \(EscapedText.escape(earlier.file)):\(earlier.line); "
                    + "its facts are recorded once")
            return
        }
        places[source.identity] = source.place
        for (index, stated) in source.facts.enumerated() {
            var event = event(stated, at, source.environment)
            event.id = "\(source.identity)#\(index + 1)"
            event.source = isNotification ? NotificationID(source.identity) : nil
            append(event, of: source)
        }
    }

    private func event(
        _ stated: StatedFact, _ at: Timestamp, _ environment: Environment?
    ) -> Event<Written> {
        Event(
            seq: 1, at: at, account: stated.account.map { AccountID($0) },
            environment: environment, signedAt: stated.signedAt, stated.fact)
    }

    /// Numbers an event and writes its line; what the format can't hold is remarked on.
    private mutating func append(_ event: Event<Written>, of source: StatedSource) {
        var event = event
        event.seq = Int64(result.events.count) + 1
        do throws(WritingProblem) {
            result.log += try LineWriter.line(of: event)
            result.log.append(UInt8(ascii: "\n"))
            result.events.append(event)
        } catch {
            remark(
                .error, source.place,
                "a `\(event.type.wireName)` can't be written and is not in the log: \(error)")
        }
    }

    private mutating func remark(_ level: Level, _ place: ImportPlace, _ message: String) {
        result.remarks.append(ImportRemark(level: level, place: place, message: message))
    }
}
