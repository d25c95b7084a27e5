@testable import PurchaseEvents

/// A chained log for the tests of the chain.
struct ChainedLog {
    /// Its lines, each with its end.
    private(set) var lines: [[UInt8]] = []
    /// The chain before each line, and behind the last.
    private(set) var chains = [Chain()]

    /// All its bytes.
    var bytes: [UInt8] { lines.allBytes() }

    /// A log of that many lines, chained or not; `salt` stands in each.
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

    /// The checkpoint behind a line.
    func checkpoint(_ line: Int) -> Checkpoint {
        Checkpoint(origin: "a 2026-02-20T09:00:00.000Z", chain: chains[line])
    }

    /// What a verifier says of bytes that take the place of the lines behind one.
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
    /// The line that is found damaged.
    var damagedLine: Int? {
        if case .damaged(let line, _) = self { line } else { nil }
    }
}

extension Sequence<[UInt8]> {
    /// The bytes of all lines, copied a line at a time.
    func allBytes() -> [UInt8] { reduce(into: []) { $0 += $1 } }
}
