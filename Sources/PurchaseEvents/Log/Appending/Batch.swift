/// New lines on their way into a log: numbered, written out and sealed, but in no file yet.
///
/// Staging is apart from writing so that several appends can share one write and one sync.
struct Batch: Sendable {
    /// The `seq` of the first line.
    let firstSeq: Int64
    /// The new lines.
    let lines: SealedLines
    /// Where the new lines' `id`s stand, from the start of ``bytes``; more than one place where
    /// two have the same fingerprint.
    let ids: [Fingerprint: [Int64]]

    /// A batch of no lines.
    init(nextSeq: Int64, chain: Chain?) {
        self.init(firstSeq: nextSeq, SealedLines(after: chain), ids: [:])
    }

    init(firstSeq: Int64, _ lines: SealedLines, ids: [Fingerprint: [Int64]]) {
        self.firstSeq = firstSeq
        self.lines = lines
        self.ids = ids
    }

    /// The bytes of the new lines, each with its end.
    var bytes: [UInt8] { lines.bytes }

    /// The chain up to the last new line; `nil` in a log that isn't chained.
    var chain: Chain? { lines.chain }

    /// The `seq` that the next new line gets.
    var nextSeq: Int64 { firstSeq + Int64(lines.count) }

    /// What is told of the new lines, in their order, once the bytes are safe.
    func answers() -> [Appended] {
        var answers: [Appended] = []
        answers.reserveCapacity(lines.count)
        var start = 0
        for end in lines.ends {
            let line = Array(bytes[start..<end])
            answers.append(
                Appended(outcome: .appended, seq: firstSeq + Int64(answers.count), line: line))
            start = end + 1
        }
        return answers
    }
}
