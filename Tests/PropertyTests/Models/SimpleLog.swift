import PurchaseEvents

/// The simplest model of a log: the lines that it has acknowledged.
struct SimpleLog {
    /// A line: a text and an optional `id`.
    struct Note: Hashable, CustomStringConvertible {
        var text: Int
        var id: Int?

        var description: String { "n\(text)" + (id.map { " as i\($0)" } ?? "") }

        /// The draft to append.
        var draft: Draft {
            Draft(
                at: Timestamp(milliseconds: 1_771_578_000_000), id: id.map { "i\($0)" },
                .logNoted(text: "n\(text)"))
        }

        /// The note in an event.
        init(_ event: Event<Written>) {
            self.init(-1)
            if case .logNoted(let said) = event.fact { text = Int(said.dropFirst()) ?? -2 }
            id = event.id.flatMap { Int($0.dropFirst()) }
        }

        /// The note for a cut-off tail that the log reports.
        static let recovered = Note(-1)

        init(_ text: Int, id: Int? = nil) {
            self.text = text
            self.id = id
        }
    }

    /// The expected answer to a batch.
    enum Answer: Hashable {
        /// The `seq` of each note, and whether it was already there.
        case taken([Int64], isThere: [Bool])
        case conflict(draft: Int, seq: Int64)
        case unexpectedSequence(seen: Int64)
        case closed, latched
        /// Nothing was written, and writing may be tried again.
        case unwritten
        case other(String)
    }

    /// The notes in order, without line 1, `log.opened`.
    private(set) var notes: [Note] = []
    /// The notes being appended when the machine stopped; the first of them may be in the log.
    private(set) var doubtful: [Note] = []
    private(set) var isOpen = true
    private(set) var isLatched = false
    /// A fault of the model for the control of the harness: an `id` is accepted repeatedly.
    var forgetsIDs = false

    var lastSeq: Int64 { Int64(notes.count) + 1 }

    /// The expected answer to a batch, and the notes that it adds.
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

    /// The machine stopped during an append.
    mutating func stop(appending added: [Note]) {
        isOpen = false
        doubtful = added
    }

    /// The disk failed during an append: the log refuses everything until it is opened again.
    mutating func latch() { isLatched = true }

    /// Opens the log, which contains these notes; returns what is wrong with them.
    mutating func open(holding found: [Note], isRecovered: Bool) -> String? {
        let all = notes + doubtful
        // A tail that was cut off adds a line of its own.
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
