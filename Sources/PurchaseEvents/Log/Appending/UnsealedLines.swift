/// Encoded lines queued for the sealing thread, some with prepared message schedules.
struct UnsealedLines: Sendable {
    private struct Line: Sendable {
        let end: Int
        let schedules: Int?
    }

    /// In bytes: with less, waking the thread costs too much; with more, it starts too late.
    static let defaultSize = 32 * 1_024

    private let size: Int
    private var bytes: [UInt8] = []
    private var lines: [Line] = []
    private var schedules: [UInt32] = []
    private var usedWords = 0
    private var isPreparing = false

    init(size: Int) { self.size = size }

    var isEmpty: Bool { lines.isEmpty }
    var isFull: Bool { bytes.count >= size }

    mutating func begin(preparing: Bool) {
        bytes.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        usedWords = 0
        isPreparing = preparing
        if isPreparing, schedules.isEmpty {
            let blocks = size / PortableSHA256.blockSize
            schedules = [UInt32](repeating: 0, count: blocks * PortableSHA256.scheduleLength)
        }
    }

    mutating func add(_ line: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: line)
        lines.append(Line(end: bytes.count, schedules: isPreparing ? prepare(line) : nil))
    }

    /// Prepares the message schedules of a line; returns their offset, or `nil` without room.
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

    func seal(into sealed: inout SealedLines) {
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
