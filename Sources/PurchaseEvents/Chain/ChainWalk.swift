/// A walk along the lines of a log, each held against the one before, up to the first that breaks
/// the chain.
struct ChainWalk: Sendable {
    /// The chain up to the last line that is well.
    private(set) var chain: Chain
    /// Why the line behind it breaks the chain; the walk has ended there.
    private(set) var problem: ChainBreak?
    /// Chain values that are looked for, and the line that has each.
    private var sought: [(value: Digest, line: Int?)]

    /// A walk that begins behind a line.
    init(from chain: Chain = Chain(), seeking values: [Digest] = []) {
        self.chain = chain
        sought = values.map { ($0, nil) }
    }

    /// A walk that looks for the same values and begins behind a line with that value.
    func beginning(at head: Digest) -> ChainWalk {
        ChainWalk(from: Chain(head: head, lines: 0), seeking: sought.map(\.value))
    }

    /// The line that has a value that was looked for.
    func line(of value: Digest) -> Int? { sought.first { $0.value == value }?.line }

    /// Takes in lines, all but the last with their end.
    mutating func take(lines: UnsafeRawBufferPointer) {
        var start = 0
        while problem == nil, start < lines.count {
            let end = lines.endOfLine(from: start) ?? lines.count
            take(UnsafeRawBufferPointer(rebasing: lines[start..<end]))
            start = end &+ 1
        }
    }

    /// Takes in a line, given without its end.
    @inline(__always)
    private mutating func take(_ line: UnsafeRawBufferPointer) {
        if let problem = chain.follow(line) { return stop(at: problem) }
        for index in sought.indices where sought[index].value == chain.head {
            sought[index].line = chain.lines
        }
    }

    /// Ends at the line behind the last that is well.
    mutating func stop(at problem: ChainBreak) { self.problem = problem }

    /// Takes in what a walk came to that began at the value of this one's last line.
    mutating func join(_ next: ChainWalk) {
        for (index, found) in next.sought.enumerated() {
            if let line = found.line { sought[index].line = chain.lines + line }
        }
        chain = Chain(head: next.chain.head, lines: chain.lines + next.chain.lines)
        problem = next.problem
    }
}
