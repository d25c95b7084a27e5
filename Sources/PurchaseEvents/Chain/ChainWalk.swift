/// Checks lines of a log against the chain, up to the first line that breaks it.
struct ChainWalk: Sendable {
    private(set) var chain: Chain
    private(set) var problem: ChainBreak?
    /// The chain values to look for, and the line that has each.
    private var targets: [(value: Digest, line: Int?)]

    init(from chain: Chain = Chain(), seeking values: [Digest] = []) {
        self.chain = chain
        targets = values.map { ($0, nil) }
    }

    /// A walk that looks for the same values and starts after a line with the chain value `head`.
    func beginning(at head: Digest) -> ChainWalk {
        ChainWalk(from: Chain(head: head, lines: 0), seeking: targets.map(\.value))
    }

    /// The number of the line with a chain value to look for, if a line so far has it.
    func line(of value: Digest) -> Int? { targets.first { $0.value == value }?.line }

    /// Checks lines; all but the last must have a newline.
    mutating func take(lines: UnsafeRawBufferPointer) {
        var start = 0
        while problem == nil, start < lines.count {
            let end = lines.endOfLine(from: start) ?? lines.count
            take(UnsafeRawBufferPointer(rebasing: lines[start..<end]))
            start = end &+ 1
        }
    }

    @inline(__always)
    private mutating func take(_ line: UnsafeRawBufferPointer) {
        if let problem = chain.follow(line) { return stop(at: problem) }
        for index in targets.indices where targets[index].value == chain.head {
            targets[index].line = chain.lines
        }
    }

    mutating func stop(at problem: ChainBreak) { self.problem = problem }

    /// Appends the result of a walk that started at this walk's last chain value.
    mutating func join(_ next: ChainWalk) {
        for (index, found) in next.targets.enumerated() {
            if let line = found.line { targets[index].line = chain.lines + line }
        }
        chain = Chain(head: next.chain.head, lines: chain.lines + next.chain.lines)
        problem = next.problem
    }
}
