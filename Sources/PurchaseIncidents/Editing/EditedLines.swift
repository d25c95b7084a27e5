import PurchaseEvents

/// The new bytes of edited lines, computed in a first pass over the log.
struct EditedLines {
    /// The bytes of the lines to write before each line.
    private(set) var pieces: [Int: [[UInt8]]] = [:]
    private(set) var inPlace: [Int: [UInt8]] = [:]

    /// Reads a log up to the last line that an edit names, and checks each edit.
    init(_ plan: EditPlan, of log: LogParts) throws {
        guard !plan.isEmpty else { return }
        let requiredLines = plan.requiredLines
        let last = requiredLines.map { $0.isPlace ? $0.line - 1 : $0.line }.max() ?? 0
        let lines = RawLines(log)
        let decoder = LineDecoder(names: NameTable(of: []))
        var recorded = RecordedTimes(plan.pieces.keys)
        var moved: [Int: [UInt8]] = [:]
        var hasEvent = false
        var lateOpening: EditProblem?
        while lines.count < last || recorded.needsFirstEvent, let line = try lines.next() {
            var type: EventType?
            let isFirst = !hasEvent
            if case .event(let event) = decoder.decode(line) {
                (type, hasEvent) = (event.type, true)
                recorded.observe(event.at, lines.count)
                if plan.insertsOpening, event.type == .logOpened, !plan.isDropped(lines.count) {
                    throw EditProblem(
                        .conflict,
                        "line \(lines.count) opens the log already: change it with --set, or drop "
                            + "it")
                }
            }
            let sets = plan.sets[lines.count] ?? []
            let isEdited = !sets.isEmpty || plan.moves[lines.count] != nil
            let edited = try isEdited ? EditedLines.edited(Array(line), lines.count, sets) : []
            do throws(EditProblem) {
                let after = sets.isEmpty ? type : LineDecoder().event(on: edited[...])?.type
                try plan.checkOpening(lines.count, type, after, isFirst: isFirst)
            } catch {
                lateOpening = lateOpening ?? error
            }
            guard isEdited else { continue }
            if plan.moves[lines.count] == nil {
                inPlace[lines.count] = edited
            } else {
                moved[lines.count] = edited
            }
        }
        if lines.count < last,
            let missing = requiredLines.filter({ $0.line > lines.count + ($0.isPlace ? 1 : 0) })
                .map(\.line).min()
        {
            let count = lines.count == 1 ? "1 line" : "\(lines.count) lines"
            throw EditProblem(.notThere, "there is no line \(missing): the log has \(count)")
        }
        if let lateOpening { throw lateOpening }
        for (place, all) in plan.pieces {
            pieces[place] = try all.map { piece in
                switch piece {
                case .moved(let line): moved[line] ?? []
                case .inserted(let members, let number):
                    try EditedLines.inserted(members, number, at: recorded.time(at: place))
                }
            }
        }
    }

    private static func inserted(
        _ members: LineMembers, _ number: Int, at time: Timestamp?
    ) throws(EditProblem) -> [UInt8] {
        var members = members
        if !members.has(Key.at.wireName) {
            guard let time else {
                throw EditProblem(
                    .notALine,
                    "inserted line \(number) needs `at`: the log has no event to take it from")
            }
            members.set(Key.at.wireName, .string(time.text))
        }
        return try canonical(members.bytes, "inserted line \(number)")
    }

    private static func edited(
        _ line: [UInt8], _ number: Int, _ sets: [(key: String, value: String)]
    ) throws(EditProblem) -> [UInt8] {
        guard !sets.isEmpty else { return line }
        guard var members = LineMembers(line) else {
            let decoder = LineDecoder()
            if case .notUnderstood(let diagnostic) = line.withUnsafeBytes({ decoder.decode($0) }) {
                throw .notALine("line \(number) has no keys to set", diagnostic)
            }
            throw EditProblem(.notThere, "line \(number) has no keys to set: it is blank")
        }
        for (key, value) in sets where key == Key.type.wireName { members.set(key, .string(value)) }
        guard let type = members.type else {
            throw EditProblem(.notALine, "line \(number): expected a known event type")
        }
        let fields = EventType.envelope + type.schema
        for (key, value) in sets where key != Key.type.wireName {
            if value.isEmpty {
                guard members.has(key) else {
                    throw EditProblem(
                        .notThere,
                        "line \(number) has no `\(EscapedText.excerpt(of: key))` to remove")
                }
                members.set(key, nil)
                continue
            }
            guard let field = fields.first(where: { $0.key.wireName == key }) else {
                throw unknownKey(key, of: type, fields, number)
            }
            members.set(key, content(value, field.kind))
        }
        return try canonical(members.bytes, "line \(number)")
    }

    private static func unknownKey(
        _ key: String, of type: EventType, _ fields: [Field], _ line: Int
    ) -> EditProblem {
        // The first is `seq`, which is always renumbered.
        let known = fields.dropFirst().map { "`\($0.key.wireName)`" }.joined(separator: ", ")
        return EditProblem(
            .notThere,
            "line \(line): `\(type.wireName)` has no key `\(EscapedText.excerpt(of: key))`: "
                + "expected one of \(known)")
    }

    /// The JSON value of a text, by the kind of its key; a text of another form stays a string,
    /// which the decoder then refuses.
    private static func content(_ value: String, _ kind: FieldKind) -> JSONValue.Content {
        switch kind {
        case .integer: Int64(value).map { .number("\($0)") } ?? .string(value)
        case .flag: value == "true" ? .flag(true) : value == "false" ? .flag(false) : .string(value)
        case .time: .string(Timestamp(dayOrTime: value)?.text ?? value)
        case .name, .id, .text, .currency, .word: .string(value)
        }
    }

    /// The canonical line; a line with unknown keys stays as it is.
    private static func canonical(_ line: [UInt8], _ words: String) throws(EditProblem) -> [UInt8] {
        let decoder = LineDecoder()
        switch line.withUnsafeBytes({ decoder.decodeWritten($0) }) {
        case .notUnderstood(let diagnostic): throw .notALine(words, diagnostic)
        case .blank: return line
        case .event(let event):
            guard decoder.notes.isEmpty else { return line }
            do throws(WritingProblem) {
                return try LineWriter.line(of: event)
            } catch {
                throw EditProblem(.notALine, "\(words): \(error)")
            }
        }
    }
}

/// The times of the events before the places of inserted lines.
private struct RecordedTimes {
    private let places: [Int]
    /// The times at the places up to the line read last; at all others it is the latest.
    private var times: [Timestamp?] = []
    private var first: Timestamp?, latest: Timestamp?

    init(_ places: some Sequence<Int>) { self.places = places.sorted() }

    /// Whether a place needs a time and no event was read yet.
    var needsFirstEvent: Bool { first == nil && !places.isEmpty }

    mutating func observe(_ time: Timestamp, _ line: Int) {
        while times.count < places.count, places[times.count] <= line { times.append(latest) }
        if first == nil { first = time }
        latest = time
    }

    /// The time of the event before a place, or the first event's time if there is none before.
    func time(at place: Int) -> Timestamp? {
        let index = places.lowerBound { $0 >= place }
        return (index < times.count ? times[index] : latest) ?? first
    }
}
