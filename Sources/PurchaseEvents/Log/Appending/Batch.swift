/// New lines to append, not yet written to a file: staging is separate from writing, so that
/// several appends share one write and one sync.
struct Batch: Sendable {
    let firstSeq: Int64
    let lines: SealedLines
    /// The offset in ``bytes`` of the line that carries each `id`, by fingerprint.
    let ids: [Fingerprint: Int64]

    var bytes: [UInt8] { lines.bytes }

    var chain: Chain? { lines.chain }

    var nextSeq: Int64 { firstSeq + Int64(lines.count) }

    /// The results for the new lines, in order, to be returned only after the batch is committed.
    func results() -> [Appended] {
        var results: [Appended] = []
        results.reserveCapacity(lines.count)
        var start = 0
        for end in lines.ends {
            let line = Array(bytes[start..<end])
            results.append(
                Appended(outcome: .appended, seq: firstSeq + Int64(results.count), line: line))
            start = end + 1
        }
        return results
    }
}

extension Batch {
    init(nextSeq: Int64, chain: Chain?) {
        self.init(firstSeq: nextSeq, lines: SealedLines(after: chain), ids: [:])
    }
}
