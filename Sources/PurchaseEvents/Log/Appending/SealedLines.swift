struct SealedLines: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The offset where each line ends, before its newline.
    private(set) var ends: [Int] = []
    private(set) var chain: Chain?
    private let before: Chain?

    /// Creates an empty run of lines that continues a chain.
    init(after chain: Chain?, expecting lines: Int = 0, bytes count: Int = 0) {
        (self.chain, before) = (chain, chain)
        ends.reserveCapacity(lines)
        bytes.reserveCapacity(count)
    }

    var count: Int { ends.count }

    static func size(of count: Int, isChained: Bool) -> Int {
        count + (isChained ? Chain.growth : 0) + 1
    }

    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(WritingProblem) {
        if chain == nil {
            bytes.append(contentsOf: line)
            end()
        } else {
            try Chain.check(line.count)
            seal(UnsafeRawBufferPointer(line), schedules: nil)
        }
    }

    /// Adds a line that leaves room for its chain value, with its message schedules if another
    /// thread prepared them.
    mutating func seal(_ line: UnsafeRawBufferPointer, schedules: UnsafePointer<UInt32>?) {
        guard var next = chain else { preconditionFailure("only a chained log is sealed") }
        let content = Chain.content(of: line)
        next.extend(content, schedules: schedules)
        bytes.append(contentsOf: content)
        ChainedLine.withEnd(next.head) { bytes.append(contentsOf: $0) }
        end()
        chain = next
    }

    private mutating func end() {
        ends.append(bytes.count)
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func keep(_ count: Int) {
        guard count < ends.count else { return }
        ends.removeLast(ends.count - count)
        bytes.removeLast(bytes.count - (ends.last.map { $0 + 1 } ?? 0))
        chain = chainAfterLast
    }

    /// The chain up to the last line, taken from the chain value in that line.
    private var chainAfterLast: Chain? {
        guard let before, let end = ends.last else { return before }
        let start = ends.dropLast().last.map { $0 + 1 } ?? 0
        return bytes.withUnsafeBytes { bytes in
            guard let last = ChainedLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            else { preconditionFailure("a sealed line ends in its chain value") }
            return Chain(head: last.value, lines: before.lines + ends.count)
        }
    }

    func line(at offset: Int) -> [UInt8] {
        Array(bytes[offset...].prefix { $0 != UInt8(ascii: "\n") })
    }
}
