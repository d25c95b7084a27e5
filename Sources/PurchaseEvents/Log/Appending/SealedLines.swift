/// Encoded lines of a log, each with its newline and, in a chained log, its chain value.
struct SealedLines: Sendable {
    /// The lines, each with its newline.
    private(set) var bytes: [UInt8] = []
    /// The offset where each line ends, before its newline.
    private(set) var ends: [Int] = []
    /// The chain up to the last line, or `nil` if the log isn't chained.
    private(set) var chain: Chain?
    private let before: Chain?

    /// Creates an empty run of lines that continues a chain, with room for a number of lines and
    /// bytes.
    init(after chain: Chain?, expecting lines: Int = 0, bytes count: Int = 0) {
        (self.chain, before) = (chain, chain)
        ends.reserveCapacity(lines)
        bytes.reserveCapacity(count)
    }

    var count: Int { ends.count }

    /// The size in the log of a line with `count` bytes, including its chain value and newline.
    static func size(of count: Int, isChained: Bool) -> Int {
        count + (isChained ? Chain.growth : 0) + 1
    }

    /// Adds a line that a writer encoded, and seals it if the log is chained.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(WritingProblem) {
        if chain == nil {
            bytes.append(contentsOf: line)
            end()
        } else {
            try Chain.check(line.count)
            seal(UnsafeRawBufferPointer(line), schedules: nil)
        }
    }

    /// Adds a line of a chained log with its chain value, for which the line must leave room.
    ///
    /// `schedules` holds the message schedules of the line's blocks, if another thread prepared
    /// them.
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

    /// Removes all but the first `count` lines.
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

    /// The line that starts at an offset of ``bytes``, without its newline.
    func line(at offset: Int) -> [UInt8] {
        Array(bytes[offset...].prefix { $0 != UInt8(ascii: "\n") })
    }
}
