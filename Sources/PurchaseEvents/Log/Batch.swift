/// New lines on their way into a log: numbered and written out, but in no file yet.
///
/// Staging is apart from writing so that several appends can share one write and one sync.
struct Batch: Sendable {
    /// What is told of the new lines, in their order, once the bytes are safe.
    private(set) var lines: [Appended] = []
    /// The new lines, each with its end.
    private(set) var bytes: [UInt8] = []
    /// Where the new lines' `id`s stand, from the start of ``bytes``; more than one place where
    /// two have the same fingerprint.
    private(set) var ids: [Fingerprint: [Int64]] = [:]
    /// The `seq` that the next new line gets.
    private(set) var nextSeq: Int64

    /// The chain up to the last new line; `nil` in a log that isn't chained.
    private(set) var chain: Chain?

    init(nextSeq: Int64, chain: Chain?) {
        self.nextSeq = nextSeq
        self.chain = chain
    }

    /// Takes a new line, and gives it its chain value where the log is chained.
    mutating func add(
        _ line: [UInt8], id: Fingerprint?
    ) throws(WritingProblem) -> Appended {
        var line = line
        try chain?.seal(&line)
        if let id { ids[id, default: []].append(Int64(bytes.count)) }
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        let answer = Appended(outcome: .appended, seq: nextSeq, line: line)
        lines.append(answer)
        nextSeq += 1
        return answer
    }

    /// The line that begins at an offset of ``bytes``.
    func line(at offset: Int64) -> [UInt8] {
        Array(bytes[Int(offset)...].prefix { $0 != UInt8(ascii: "\n") })
    }
}
