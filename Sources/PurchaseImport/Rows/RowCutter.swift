import PurchaseEvents

struct RowBlock: Sendable {
    /// The bytes of the rows with their ends of line; the last row of a file may have none.
    var bytes: [UInt8]
    /// The line of the first byte, counted from 1.
    var line: Int

    /// The block without its first bytes.
    func dropping(_ count: Int) -> RowBlock {
        let lines = bytes[..<count].count { $0 == 0x0A }
        return RowBlock(bytes: Array(bytes[count...]), line: line + lines)
    }
}

/// A part of a file, in file order.
enum RowPart: Sendable {
    case rows(RowBlock)
    /// A line that can't be a row; reading resumes at the next line.
    case problem(message: String, line: Int)
}

/// Parts that one thread reads, in file order: about one block, or many small parts.
///
/// Where a file alternates between rows and dropped lines, its parts are small.
struct RowShare: Sendable {
    private(set) var parts: [RowPart] = []
    private var size = 0

    /// Whether further parts belong to another share.
    var isFull: Bool { size >= RowCutter.blockSize }

    mutating func append(_ part: RowPart) {
        parts.append(part)
        // Each part also costs its own memory; a dropped line has a message.
        size += 100
        if case .rows(let block) = part { size += block.bytes.count }
    }
}

/// Cuts a file into blocks of whole rows; rows may have ends of line inside quotes. Offsets count
/// from the first byte that belongs to no part yet.
///
/// A quote that isn't closed within ``largestRow`` bytes costs only its own line. Memory: one block
/// and one row.
struct RowCutter {
    /// The smallest size of a block in bytes, except before a very long row and at the end.
    static let blockSize = 1 << 19
    static let largestRow = 1 << 20

    /// The position of a byte in a row.
    private enum State { case cellStart, cell, quoted, quoteInQuotes }

    private let input: InputBuffer
    private let name: String
    /// The format of the rows, or the reason why the file has none; known after the first part.
    private(set) var format: Result<RowFormat, RowMappingProblem>?
    private var scanned = 0
    /// The start of the last row, which may be incomplete.
    private var rowStart = 0
    private var state = State.cellStart
    /// The scan of the dropped row that was scanned furthest: where it ended, and its state there.
    ///
    /// That scan passed each end of line inside quotes. A scan of a later row that passes an end of
    /// line inside quotes is in the same state, so the scan continues at `end`. So each line is
    /// scanned only once.
    private var dropped: (end: Int, state: State)?
    private var isAtEnd = false

    init(_ source: any ByteSource, name: String) {
        input = InputBuffer(source)
        self.name = name
    }

    var readBytes: Int { input.passed + input.count }

    /// The next part; `nil` after the last one, or if the file has no rows.
    mutating func next() throws(ReadProblem) -> RowPart? {
        if format == nil { try recognise() }
        guard case .success(let format) = format else { return nil }
        while true {
            scan(format)
            let rest = input.count - rowStart
            if rowStart >= RowCutter.blockSize || isAtEnd && rowStart > 0 {
                return .rows(take(rowStart))
            }
            if isAtEnd {
                if rest == 0 { return nil }
                return state == .quoted ? try dropLine() : .rows(take(rest))
            }
            if rest > RowCutter.largestRow {
                return rowStart > 0 ? .rows(take(rowStart)) : try dropLine()
            }
            isAtEnd = try !input.readMore()
        }
    }

    private mutating func recognise() throws(ReadProblem) {
        // A pipe may deliver the header in several reads.
        var hasLine = false
        while !isAtEnd, input.count < 1 << 12 || !hasLine, input.count < RowCutter.largestRow {
            let known = input.count
            isAtEnd = try !input.readMore()
            hasLine = hasLine || input.rest.dropFirst(known).contains(0x0A)
        }
        if input.rest.starts(with: [0xEF, 0xBB, 0xBF]) { input.advance(3) }
        format = RowFormat.recognise(Array(input.rest), name: name)
    }

    private mutating func take(_ count: Int) -> RowBlock {
        let line = input.place.line
        scanned -= count
        rowStart = 0
        dropped?.end -= count
        return RowBlock(bytes: input.take(count), line: line)
    }

    /// Drops the first line, which can't be a row.
    private mutating func dropLine() throws(ReadProblem) -> RowPart {
        let message =
            state == .quoted
            ? "expected a closing quote, seen none; skipped the line"
            : "expected a row of at most \(RowCutter.largestRow >> 20) MiB, seen a longer one; "
                + "skipped it"
        let part = RowPart.problem(message: message, line: input.place.line)
        dropped = (scanned, state)
        (scanned, rowStart, state) = (0, 0, .cellStart)
        var isLineEnd = false
        while !isLineEnd, try input.byte() != nil {
            let count = try input.lengthOfLine(limit: InputBuffer.portion)
            isLineEnd = try input.byte(count) == 0x0A
            let length = isLineEnd ? count + 1 : count
            input.advance(length)
            dropped?.end -= length
        }
        return part
    }

    private mutating func scan(_ format: RowFormat) {
        switch format {
        case .jsonLines:
            let end = input.withBytes { $0.lastIndex(of: 0x0A, in: scanned..<$0.count) }
            if let end { rowStart = end + 1 }
        case .separated(let separator): scanCells(separator)
        }
        scanned = input.count
    }

    /// Finds the start of the last row, which may be incomplete; jumps from quote to quote.
    private mutating func scanCells(_ separator: UInt8) {
        let (start, dropped, quote) = (scanned, dropped, UInt8(ascii: "\""))
        (rowStart, state) = input.withBytes { bytes in
            var (rowStart, state, place) = (rowStart, state, start)
            while place < bytes.count {
                if state == .quoteInQuotes {
                    // Two quotes stand for one; a single one ends the quoted part.
                    state = bytes[place] == quote ? .quoted : .cell
                    if state == .quoted { place += 1 }
                    continue
                }
                if state == .quoted, let dropped, place < dropped.end {
                    place = bytes.firstIndex(of: quote, orEndOfLineIn: place..<dropped.end)
                    if place < dropped.end, bytes[place] != quote {
                        (place, state) = dropped
                        continue
                    }
                }
                let next = bytes.firstIndex(of: quote, from: place) ?? bytes.count
                if state == .quoted {
                    if next < bytes.count { state = .quoteInQuotes }
                    place = next + 1
                    continue
                }
                let end = bytes.lastIndex(of: 0x0A, in: place..<next)
                if let end { rowStart = end + 1 }
                if next > place {
                    let isStart = end == next - 1 || bytes[next - 1] == separator
                    state = isStart ? .cellStart : .cell
                }
                // A quote that isn't at the start of a cell is an ordinary character.
                if next < bytes.count { state = state == .cellStart ? .quoted : .cell }
                place = next + 1
            }
            return (rowStart, state)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first quote or end of line in a range, or the end of the range.
    fileprivate func firstIndex(of quote: UInt8, orEndOfLineIn range: Range<Int>) -> Int {
        self[range].firstIndex { $0 == quote || $0 == 0x0A } ?? range.upperBound
    }
}
