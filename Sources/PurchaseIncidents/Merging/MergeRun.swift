import PurchaseEvents

/// One run of a merger, which repeatedly takes the earliest next line of all logs.
struct MergeRun {
    private let heads: [MergeHead]
    /// The indices of the logs that have lines left, sorted by their next lines.
    private var order: [Int] = []
    var output = LineRewriter()
    private var ids = MergedIDs()
    private var notes: LogMerger.Summary
    private let environment: Environment

    init(_ logs: [LogParts]) throws {
        heads = try logs.map { try MergeHead($0) }
        notes = LogMerger.Summary(
            wereChained: logs.map { _ in false }, wereBlank: logs.map { _ in false },
            namedEnvironments: logs.map { _ in nil })
        let opening = MergedOpening(heads)
        environment = opening.environment
        notes.leftOut = opening.leftOut
        for (index, head) in heads.enumerated() where head.opens {
            noteChain(of: index)
            try head.open()
        }
        if let line = opening.line { try appendOpening(line) }
        for index in heads.indices { enqueue(index) }
    }

    var summary: LogMerger.Summary {
        var summary = notes
        (summary.events, summary.notUnderstood) = (output.events, output.notUnderstood)
        summary.blank = output.blank
        summary.wereBlank = heads.map { $0.number > 0 && $0.isBlank }
        return summary
    }

    /// Takes the next line; returns `false` after the last one.
    mutating func step() throws -> Bool {
        guard let index = order.first else { return false }
        order.removeFirst()
        let head = heads[index]
        guard let line = head.line else { return true }
        if head.opens {
            noteChain(of: index)
            try head.open()
            enqueue(index)
            return true
        }
        if case .event(let event) = head.decoded {
            try append(event, line, index)
        } else {
            try output.append(line, head.decoded, by: head.decoder)
        }
        try head.advance()
        enqueue(index)
        return true
    }

    private mutating func append(
        _ event: LogEvent, _ line: UnsafeRawBufferPointer, _ index: Int
    ) throws {
        let head = heads[index]
        noteChain(of: index)
        if let id = event.id,
            let fingerprint = head.fingerprints.fingerprint(
                head.decoded, line, in: head.environment)
        {
            switch ids.insert(id, saying: fingerprint) {
            case .new: break
            case .repeated:
                notes.repeated += 1
                return
            case .conflicting:
                notes.conflicting += 1
                if notes.conflicts.count < 10 {
                    notes.conflicts.append(
                        .init(log: index, line: head.number, id: head.written?.id ?? ""))
                }
            }
            // The fingerprint may have decoded the line again, with names as strings.
            _ = head.decoder.decode(line)
        }
        let isNamed = event.environment != nil || head.environment == environment
        if !isNamed { notes.namedEnvironments[index] = head.environment }
        try output.append(
            event: line, by: head.decoder, environment: isNamed ? nil : head.environment)
    }

    private mutating func appendOpening(_ line: [UInt8]) throws {
        let decoder = LineDecoder(names: NameTable(of: []))
        try line.withUnsafeBytes { line in
            _ = decoder.decode(line)
            try output.append(event: line, by: decoder)
        }
    }

    /// Records that a log is chained, if its next line has a chain value.
    private mutating func noteChain(of index: Int) {
        if heads[index].decoder.place(of: .chain) != nil { notes.wereChained[index] = true }
    }

    /// Puts a log with a line left into the order. It usually keeps its place, so the search begins
    /// at the front.
    private mutating func enqueue(_ index: Int) {
        guard heads[index].line != nil else { return }
        let at = heads[index].at
        let place = order.firstIndex { other in (at, index) < (heads[other].at, other) }
        order.insert(index, at: place ?? order.count)
    }
}
