@testable import PurchaseEvents

/// A chained log for the tests of the chain.
struct ChainedLog {
    /// The lines, each with its newline.
    private(set) var lines: [[UInt8]] = []
    /// The chain before each line, and after the last one.
    private(set) var chains = [Chain()]

    /// All bytes of the log.
    var bytes: [UInt8] { lines.allBytes() }

    /// Creates a log of `count` lines, chained or not; each line contains `salt`.
    init(_ count: Int, isChained: Bool = true, salt: String = "") throws {
        for number in 1...count {
            let fact: Fact<Written> =
                number == 1
                ? .logOpened(
                    LogOpened(schema: 1, app: "a", writer: salt, chained: isChained ? true : nil))
                : .logNoted(text: salt + String(number))
            let event = Event<Written>(
                seq: Int64(number), at: Timestamp(milliseconds: 1_771_578_000_000), fact)
            var chain = chains[number - 1]
            let line =
                isChained
                ? try LineWriter.line(of: event, in: &chain) : try LineWriter.line(of: event)
            lines.append(line + [UInt8(ascii: "\n")])
            chains.append(chain)
        }
    }

    /// What became of the log `purchases.jsonl` of ``ShellLine/files()``, and its parts, by name.
    static func damaged() throws -> [String: [UInt8]] {
        let log = try ChainedLog(64)
        var bytes = log.bytes
        bytes[log.lines[0].count + 60] ^= 1
        var rest = log.lines[20...]
        rest[41][60] ^= 1
        let parts = [log.lines[..<20], log.lines[20..<41], log.lines[41...]].map { $0.allBytes() }
        var files = Dictionary(
            uniqueKeysWithValues: zip(["parts/1.jsonl", "parts/2.jsonl", "parts/3.jsonl"], parts))
        var start: Int64 = 0
        for part in parts {
            files["segments/\(SegmentName(start: start).text)"] = part
            start += Int64(part.count)
        }
        return files.merging([
            "torn.jsonl": log.bytes.dropLast(9), "damaged.jsonl": bytes,
            "cut.jsonl": log.lines[..<50].allBytes(),
            "anew.jsonl": try ChainedLog(64, salt: "x").bytes,
            "unchained.jsonl": try ChainedLog(3, isChained: false).bytes,
            "first.jsonl": log.lines[..<20].allBytes(), "rest.jsonl": rest.allBytes(),
            "large.jsonl": Array(repeating: log.bytes, count: 20).allBytes(),
            "bare.jsonl": try ChainedLog(20, isChained: false).bytes,
        ]) { $1 }
    }

    /// The checkpoint after a line.
    func checkpoint(_ line: Int) -> Checkpoint {
        Checkpoint(origin: "a 2026-02-20T09:00:00.000Z", chain: chains[line])
    }

    /// The verdict on bytes that replace all lines after a given one.
    func verdict(
        _ bytes: [UInt8], behind line: Int = 0, checkpoint: Checkpoint? = nil,
        head: Digest? = nil, threads: Int = 1
    ) throws -> ChainVerdict {
        let verifier = ChainVerifier(
            from: chains[line], expecting: ChainExpectation(checkpoint: checkpoint, head: head),
            threads: threads)
        try verifier.read(MemorySource(bytes))
        return verifier.finish()
    }
}

extension ChainVerdict {
    /// The line that is reported as damaged.
    var damagedLine: Int? {
        if case .damaged(let line, _) = self { line } else { nil }
    }
}

extension Sequence<[UInt8]> {
    /// The bytes of all lines.
    func allBytes() -> [UInt8] { reduce(into: []) { $0 += $1 } }
}
