import PurchaseEvents

/// A block of whole rows.
struct RowBlock: Sendable {
    /// The bytes of the rows with their ends of line; the last row of a file may have none.
    var bytes: [UInt8]
    /// The line of the first byte, counted from 1.
    var line: Int
}

/// A part of a file, in file order.
enum RowPart {
    /// Whole rows.
    case rows(RowBlock)
    /// A line that can't be a row; reading resumes at the next line.
    case problem(message: String, line: Int)
}

/// Cuts a file into blocks of whole rows; rows may have ends of line inside quotes.
///
/// A quote that isn't closed within ``largestRow`` bytes costs only its own line. Memory: one block
/// and one row.
struct RowCutter {
    /// The smallest size of a block in bytes, except before a very long row and at the end.
    private static let blockSize = 1 << 19
    private static let portion = 1 << 20
    /// The largest row, in bytes.
    static let largestRow = 1 << 20

    /// The position of a byte in a row.
    private enum State { case cellStart, cell, quoted, quoteInQuotes }

    private let source: any ByteSource
    private let name: String
    /// The format of the rows, or the reason why the file has none; known after the first part.
    private(set) var format: Result<RowFormat, RowMappingProblem>?
    /// The number of bytes read so far.
    private(set) var readBytes = 0
    private var bytes: [UInt8] = []
    private var scanned = 0
    /// The start of the last row, which may be incomplete.
    private var rowStart = 0
    private var state = State.cellStart
    /// The line of the first byte of `bytes`.
    private var line = 1
    private var isAtEnd = false

    init(_ source: any ByteSource, name: String) {
        self.source = source
        self.name = name
    }

    /// The next part; `nil` after the last one, or if the file has no rows.
    mutating func next() throws(ReadProblem) -> RowPart? {
        if format == nil { try recognise() }
        guard case .success(let format) = format else { return nil }
        while true {
            scan(format)
            if rowStart >= RowCutter.blockSize || isAtEnd && rowStart > 0 {
                return .rows(take(rowStart))
            }
            if isAtEnd {
                if bytes.isEmpty { return nil }
                return state == .quoted ? try dropLine() : .rows(take(bytes.count))
            }
            if bytes.count - rowStart > RowCutter.largestRow {
                return rowStart > 0 ? .rows(take(rowStart)) : try dropLine()
            }
            try read()
        }
    }

    private mutating func recognise() throws(ReadProblem) {
        // A pipe may deliver the header in several reads.
        while !isAtEnd, bytes.count < 1 << 12 || !bytes.contains(0x0A),
            bytes.count < RowCutter.largestRow
        {
            try read()
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        format = RowFormat.recognise(bytes, name: name)
    }

    private mutating func read() throws(ReadProblem) {
        // The closure of the array's initializer doesn't pass typed throws on.
        var result = Result<Int, ReadProblem>.success(0)
        let more = [UInt8](unsafeUninitializedCapacity: RowCutter.portion) { room, count in
            result = Result { () throws(ReadProblem) in
                try source.read(into: UnsafeMutableRawBufferPointer(room))
            }
            count = (try? result.get()) ?? 0
        }
        let count = try result.get()
        bytes += more
        readBytes += count
        isAtEnd = count == 0
    }

    /// Removes the first bytes and returns them as a block.
    private mutating func take(_ count: Int) -> RowBlock {
        let block = RowBlock(bytes: Array(bytes[..<count]), line: line)
        drop(count)
        return block
    }

    private mutating func drop(_ count: Int) {
        var ends = 0
        for byte in bytes[..<count] where byte == 0x0A { ends += 1 }
        line += ends
        bytes.removeFirst(count)
        scanned -= min(scanned, count)
        rowStart = 0
    }

    /// Removes the first line, which can't be a row.
    private mutating func dropLine() throws(ReadProblem) -> RowPart {
        let message =
            state == .quoted
            ? "expected a closing quote, seen none; skipped the line"
            : "expected a row of at most \(RowCutter.largestRow >> 20) MiB, seen a longer one; "
                + "skipped it"
        let part = RowPart.problem(message: message, line: line)
        (scanned, state) = (0, .cellStart)
        while true {
            if let end = bytes.firstIndex(of: 0x0A) {
                drop(end + 1)
                return part
            }
            bytes.removeAll(keepingCapacity: true)
            if isAtEnd { return part }
            try read()
        }
    }

    private mutating func scan(_ format: RowFormat) {
        switch format {
        case .jsonLines:
            let end = bytes[scanned...].lastIndex(of: 0x0A)
            if let end { rowStart = end + 1 }
        case .separated(let separator): scanCells(separator)
        }
        scanned = bytes.count
    }

    /// Finds the start of the last row, which may be incomplete; jumps from quote to quote.
    private mutating func scanCells(_ separator: UInt8) {
        let (start, quote) = (scanned, UInt8(ascii: "\""))
        (rowStart, state) = bytes.withUnsafeBytes { bytes in
            var (rowStart, state, place) = (rowStart, state, start)
            while place < bytes.count {
                if state == .quoteInQuotes {
                    // Two quotes stand for one; a single one ends the quoted part.
                    state = bytes[place] == quote ? .quoted : .cell
                    if state == .quoted { place += 1 }
                    continue
                }
                let next = bytes.firstIndex(of: quote, from: place) ?? bytes.count
                if state == .quoted {
                    if next < bytes.count { state = .quoteInQuotes }
                    place = next + 1
                    continue
                }
                let end = bytes[place..<next].lastIndex(of: 0x0A)
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
