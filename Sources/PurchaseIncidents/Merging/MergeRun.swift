import PurchaseEvents

/// One run of a merger, which repeatedly takes the earliest next line of all logs.
struct MergeRun {
    private static let portion = 1 << 16

    private let heads: [MergeHead]
    /// The indices of the logs that have lines left, sorted by their next lines.
    private var order: [Int] = []
    private var rewriter = LineRewriter()
    private var ids = MergedIDs()
    /// The counts of the lines so far.
    private(set) var summary: LogMerger.Summary
    private let environment: Environment
    private var bytes: [UInt8] = []

    init(_ logs: [LogParts]) throws {
        heads = try logs.map { try MergeHead($0) }
        summary = LogMerger.Summary(
            wereChained: logs.map { _ in false }, namedEnvironments: logs.map { _ in nil })
        let opening = MergedOpening(heads)
        environment = opening.environment
        summary.leftOut = opening.leftOut
        for (index, head) in heads.enumerated() where head.opens {
            noteChain(of: index)
            try head.open()
        }
        if let line = opening.line { try appendOpening(line) }
        for index in heads.indices { enqueue(index) }
    }

    /// Whether a portion is complete.
    var isFull: Bool { bytes.count >= MergeRun.portion }

    /// Returns the bytes appended since the last call.
    mutating func taken() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Takes the next line; returns `false` after the last one.
    mutating func step() throws -> Bool {
        guard let index = order.first else { return false }
        order.removeFirst()
        let head = heads[index]
        guard let line = head.line else { return true }
        switch head.decoded {
        case .event(let event):
            if event.type == .logOpened {
                noteChain(of: index)
                try head.open()
                enqueue(index)
                return true
            }
            try append(event, line, index)
        case .notUnderstood:
            summary.notUnderstood += 1
            rewriter.append(other: line, isBlank: false, to: &bytes)
        case .blank:
            summary.blank += 1
            rewriter.append(other: line, isBlank: true, to: &bytes)
        }
        try head.advance()
        enqueue(index)
        return true
    }

    private mutating func append(
        _ event: Event<Interned>, _ line: UnsafeRawBufferPointer, _ index: Int
    ) throws {
        let head = heads[index]
        noteChain(of: index)
        if let id = event.id,
            let fingerprint = head.content.fingerprint(head.decoded, line, in: head.environment)
        {
            switch ids.insert(id, saying: fingerprint) {
            case .new: break
            case .repeated:
                summary.repeated += 1
                return
            case .conflicting:
                summary.conflicting += 1
                if summary.conflicts.count < 10 {
                    summary.conflicts.append(
                        .init(log: index, line: head.number, id: head.written?.id ?? ""))
                }
            }
            // The fingerprint may have decoded the line again, with names as strings.
            _ = head.decoder.decode(line)
        }
        let isNamed = event.environment != nil || head.environment == environment
        if !isNamed { summary.namedEnvironments[index] = head.environment }
        summary.events += 1
        try rewriter.append(
            event: line, decodedBy: head.decoder,
            environment: isNamed ? nil : head.environment, to: &bytes)
    }

    private mutating func appendOpening(_ line: [UInt8]) throws {
        let decoder = LineDecoder(names: NameTable(of: []))
        summary.events += 1
        try line.withUnsafeBytes { line in
            _ = decoder.decode(line)
            try rewriter.append(event: line, decodedBy: decoder, to: &bytes)
        }
    }

    /// Records that a log is chained, if its next line has a chain value.
    private mutating func noteChain(of index: Int) {
        if heads[index].decoder.place(of: .chain) != nil { summary.wereChained[index] = true }
    }

    /// Puts a log into the order, if it has a line left.
    ///
    /// A log usually keeps its place, so the search begins at the front.
    private mutating func enqueue(_ index: Int) {
        guard heads[index].line != nil else { return }
        let at = heads[index].at
        let place = order.firstIndex { other in (at, index) < (heads[other].at, other) }
        order.insert(index, at: place ?? order.count)
    }
}
