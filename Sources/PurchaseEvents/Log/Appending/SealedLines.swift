/// Lines as they go into a log, one behind the other, each with its end; of a chained log with
/// their chain values.
struct SealedLines: Sendable {
    /// The lines, each with its end.
    private(set) var bytes: [UInt8] = []
    /// Where each line ends, before its end of line.
    private(set) var ends: [Int] = []
    /// The chain up to the last of them; `nil` in a log that isn't chained.
    private(set) var chain: Chain?
    /// The chain before the first of them.
    private let before: Chain?

    /// No lines yet, behind those of a chain, with room for so many and their bytes.
    init(after chain: Chain?, expecting lines: Int = 0, bytes count: Int = 0) {
        (self.chain, before) = (chain, chain)
        ends.reserveCapacity(lines)
        bytes.reserveCapacity(count)
    }

    /// How many there are.
    var count: Int { ends.count }

    /// How many bytes a line of so many takes, with its chain value and its end.
    static func size(of count: Int, isChained: Bool) -> Int {
        count + (isChained ? Chain.growth : 0) + 1
    }

    /// Takes a line as a writer wrote it.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) throws(WritingProblem) {
        if chain == nil {
            bytes.append(contentsOf: line)
            end()
        } else {
            try Chain.check(line.count)
            seal(UnsafeRawBufferPointer(line), schedules: nil)
        }
    }

    /// Takes a line of a chained log that has room for its chain value, and the schedules of its
    /// blocks where they were made ahead.
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

    /// Takes back all but so many lines.
    mutating func keep(_ count: Int) {
        guard count < ends.count else { return }
        ends.removeLast(ends.count - count)
        bytes.removeLast(bytes.count - (ends.last.map { $0 + 1 } ?? 0))
        chain = chainBehindLast
    }

    /// The chain up to the last line, by the value that this states.
    private var chainBehindLast: Chain? {
        guard let before, let end = ends.last else { return before }
        let start = ends.dropLast().last.map { $0 + 1 } ?? 0
        return bytes.withUnsafeBytes { bytes in
            guard let last = ChainedLine(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            else { preconditionFailure("a sealed line ends in its chain value") }
            return Chain(head: last.value, lines: before.lines + ends.count)
        }
    }

    /// The line that begins at an offset of ``bytes``, without its end.
    func line(at offset: Int) -> [UInt8] {
        Array(bytes[offset...].prefix { $0 != UInt8(ascii: "\n") })
    }
}
