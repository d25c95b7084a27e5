import PurchaseEvents

/// The simplest thing that a log can be: the lines that it has acknowledged.
struct SimpleLog {
    /// A line: a text, and the `id` where it has one.
    struct Note: Hashable, CustomStringConvertible {
        var text: Int
        var id: Int?

        var description: String { "n\(text)" + (id.map { " as i\($0)" } ?? "") }

        /// What is handed to the log.
        var draft: Draft {
            Draft(
                at: Timestamp(milliseconds: 1_771_578_000_000), id: id.map { "i\($0)" },
                .logNoted(text: "n\(text)"))
        }

        /// The note that an event holds.
        init(_ event: Event<Written>) {
            self.init(-1)
            if case .logNoted(let said) = event.fact { text = Int(said.dropFirst()) ?? -2 }
            id = event.id.flatMap { Int($0.dropFirst()) }
        }

        /// What the log says of a tail that was cut off.
        static let recovered = Note(-1)

        init(_ text: Int, id: Int? = nil) {
            self.text = text
            self.id = id
        }
    }

    /// What is to be said to a batch.
    enum Answer: Hashable {
        /// The `seq` of each note, and whether it was there before.
        case taken([Int64], isThere: [Bool])
        case conflict(draft: Int, seq: Int64)
        case unexpectedSequence(seen: Int64)
        case closed, latched
        /// Nothing was written, and writing may be tried again.
        case unwritten
        case other(String)
    }

    /// The notes in order; line 1 of the log, `log.opened`, is none.
    private(set) var notes: [Note] = []
    /// What was being appended when the machine stopped: its first lines may be there.
    private(set) var doubtful: [Note] = []
    private(set) var isOpen = true
    private(set) var isLatched = false
    /// A model with a fault, for the control of the harness: it takes an `id` again and again.
    var forgetsIDs = false

    var lastSeq: Int64 { Int64(notes.count) + 1 }

    /// What a batch is to be answered, and what would be added.
    func answer(_ batch: [Note], expecting: Int64? = nil) -> (answer: Answer, added: [Note]) {
        guard isOpen else { return (.closed, []) }
        if isLatched { return (.latched, []) }
        var added: [Note] = [], seqs: [Int64] = [], isThere: [Bool] = []
        for (draft, note) in batch.enumerated() {
            let known = (notes + added).firstIndex { note.id != nil && $0.id == note.id }
            if let known, !forgetsIDs {
                let seq = Int64(known) + 2
                guard (notes + added)[known] == note else {
                    return (.conflict(draft: draft, seq: seq), [])
                }
                seqs.append(seq)
                isThere.append(true)
            } else {
                added.append(note)
                seqs.append(lastSeq + Int64(added.count))
                isThere.append(false)
            }
        }
        if !added.isEmpty, let expecting, expecting != lastSeq {
            return (.unexpectedSequence(seen: lastSeq), [])
        }
        return (.taken(seqs, isThere: isThere), added)
    }

    mutating func add(_ added: [Note]) { notes += added }

    mutating func close() { isOpen = false }

    /// The machine stopped while something was being appended.
    mutating func stop(appending added: [Note]) {
        isOpen = false
        doubtful = added
    }

    /// The disk failed while something was being appended: nothing is taken until it is opened.
    mutating func latch() { isLatched = true }

    /// The log is opened, and holds these notes; what is wrong with that.
    mutating func open(holding found: [Note], isRecovered: Bool) -> String? {
        let all = notes + doubtful
        // A tail that was cut off is told of in a line of its own.
        let old = found.dropLast(isRecovered ? 1 : 0)
        guard old.count >= notes.count, Array(old) == Array(all.prefix(old.count)),
            !isRecovered || found.last == .recovered
        else {
            return "it holds \(found), acknowledged were \(notes), appended \(doubtful)"
        }
        notes = found
        doubtful = []
        isOpen = true
        isLatched = false
        return nil
    }
}
