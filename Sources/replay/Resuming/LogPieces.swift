import PurchaseEvents

/// A range of a log's file, to be read in order.
struct LogPiece {
    let part: InputPart
    /// The bytes to read; `nil` is the whole file, also of a pipe.
    let range: Range<Int>?
    let beginsFile: Bool

    static func all(of log: InputLog) -> [LogPiece] {
        log.parts.map { LogPiece(part: $0, range: nil, beginsFile: true) }
    }

    func source() throws(ToolError) -> any ByteSource {
        guard let range else { return try part.source() }
        return try part.source(of: range)
    }
}

/// What is left to read of a log: the lines that a snapshot will keep, then the bytes after the
/// last newline, which a later run reads again.
struct LogPieces {
    private(set) var lines: [LogPiece] = []
    private(set) var rest: [LogPiece] = []
    /// The bytes of each file that are read once the lines are.
    private(set) var ends: [Int] = []

    /// Divides what follows a mark; without one, the whole log.
    init(of log: InputLog, after mark: LogMark?) throws(ToolError) {
        let known = mark?.parts ?? []
        for (place, part) in log.parts.enumerated() {
            let size = part.size ?? 0
            let start = place < known.count ? known[place].bytes : 0
            let isLast = place == log.parts.count - 1
            let end = isLast ? try LogPieces.endOfLines(in: part, start..<size) : size
            let begins = place >= known.count
            if begins || start < end {
                lines.append(LogPiece(part: part, range: start..<end, beginsFile: begins))
            }
            if end < size {
                rest.append(LogPiece(part: part, range: end..<size, beginsFile: false))
            }
            ends.append(end)
        }
    }

    /// The offset after the last newline in a range of a file; the range's start if there is none.
    private static func endOfLines(
        in part: InputPart, _ range: Range<Int>
    ) throws(ToolError) -> Int {
        let portion = 64 << 10
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - portion)
            let bytes = try InputPart.all(of: part.source(of: start..<end), part.path)
            if let place = bytes.lastIndex(of: UInt8(ascii: "\n")) { return start + place + 1 }
            end = start
        }
        return end
    }
}
