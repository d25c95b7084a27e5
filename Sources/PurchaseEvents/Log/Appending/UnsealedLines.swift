/// Lines on their way to the thread that seals them: as a writer wrote them, without chain values.
///
/// Of some the schedules of their blocks were made ahead, so that less is left to that thread.
struct UnsealedLines: Sendable {
    private struct Line: Sendable {
        /// Where it ends; it has no end of line.
        let end: Int
        /// Where its schedules begin; `nil` where none were made.
        let schedules: Int?
    }

    /// So many bytes are handed over at once: of fewer, waking the other thread would cost too
    /// much, and of more, it would begin too late.
    static let usualSize = 32 * 1_024

    private let size: Int
    private var bytes: [UInt8] = []
    private var lines: [Line] = []
    private var schedules: [UInt32] = []
    private var usedWords = 0
    /// Whether schedules are made.
    private var prepares = false

    /// No lines; they are handed over once they have so many bytes.
    init(size: Int) { self.size = size }

    var isEmpty: Bool { lines.isEmpty }
    /// Whether it is to be handed over.
    var isFull: Bool { bytes.count >= size }

    /// Begins anew, in the memory that there is.
    mutating func begin(preparing: Bool) {
        bytes.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        usedWords = 0
        prepares = preparing
        if prepares, schedules.isEmpty {
            let blocks = size / PortableSHA256.blockSize
            schedules = [UInt32](repeating: 0, count: blocks * PortableSHA256.scheduleLength)
        }
    }

    /// Takes a line that has room for its chain value.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: line)
        lines.append(Line(end: bytes.count, schedules: prepares ? prepare(line) : nil))
    }

    /// Makes the schedules of a line, where there is room for them; where they begin.
    private mutating func prepare(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        let content = Chain.content(of: UnsafeRawBufferPointer(line))
        let count = PortableSHA256.preparedBlocks(content.count) * PortableSHA256.scheduleLength
        let start = usedWords
        guard count > 0, schedules.count - start >= count else { return nil }
        schedules.withUnsafeMutableBufferPointer { schedules in
            guard let base = schedules.baseAddress else { return }
            PortableSHA256.prepare(content, to: base + start)
        }
        usedWords += count
        return start
    }

    /// Seals the lines behind others.
    func seal(behind sealed: inout SealedLines) {
        bytes.withUnsafeBytes { bytes in
            schedules.withUnsafeBufferPointer { schedules in
                var start = 0
                for line in lines {
                    let words = line.schedules.map {
                        UnsafeBufferPointer(rebasing: schedules[$0...])
                    }
                    sealed.seal(
                        UnsafeRawBufferPointer(rebasing: bytes[start..<line.end]),
                        schedules: words?.baseAddress)
                    start = line.end
                }
            }
        }
    }
}
