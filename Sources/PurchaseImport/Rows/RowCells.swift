import PurchaseEvents

/// The cells of one row: ranges of the block, or copies if quotes or escapes were removed.
struct RowCells {
    private struct Cell {
        var start: Int32
        var count: Int32
        var isUnescaped: Bool
    }

    private var cells: [Cell] = []
    /// The columns whose key the object has twice.
    private(set) var repeated: [Int] = []
    private var unescaped: [UInt8] = []

    var count: Int { cells.count }

    var isBlank: Bool { cells.count == 1 && cells[0].count == 0 }

    @inline(__always)
    func withCell<Answer>(
        _ index: Int, of block: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer {
        let cell = cells[index]
        let range = Int(cell.start)..<Int(cell.start) + Int(cell.count)
        guard cell.isUnescaped else { return body(UnsafeRawBufferPointer(rebasing: block[range])) }
        return unescaped.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    mutating func reset(absent count: Int = 0) {
        cells.removeAll(keepingCapacity: true)
        unescaped.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        for _ in 0..<count { cells.append(Cell(start: 0, count: 0, isUnescaped: false)) }
    }

    private mutating func append(_ start: Int, _ end: Int, isUnescaped: Bool = false) {
        cells.append(
            Cell(
                start: Int32(truncatingIfNeeded: start),
                count: Int32(truncatingIfNeeded: end - start), isUnescaped: isUnescaped))
    }

    // MARK: CSV and TSV

    /// The cells of the first row of a table, which names the columns, and the offset of the next
    /// row.
    static func header(
        of block: UnsafeRawBufferPointer, by separator: UInt8
    ) -> (names: [String], next: Int) {
        var cells = RowCells()
        let (next, _) = cells.readSeparated(block, from: 0, by: separator)
        let names = (0..<cells.count).map { index in
            cells.withCell(index, of: block) { String(decoding: $0, as: UTF8.self) }
        }
        return (names, next)
    }

    /// Reads the cells of the row at an offset of a block (RFC 4180); returns the offset of the
    /// next row, and the problem of this one, if any.
    mutating func readSeparated(
        _ block: UnsafeRawBufferPointer, from start: Int, by separator: UInt8
    ) -> (next: Int, problem: String?) {
        reset()
        var (place, problem) = (start, String?.none)
        while true {
            if place < block.count, block[place] == UInt8(ascii: "\"") {
                place = quoted(block, from: place + 1)
                let isReturn =
                    place < block.count && block[place] == 0x0D
                    && (place + 1 == block.count || block[place + 1] == 0x0A)
                if isReturn { place += 1 }
                let isClosed =
                    place == block.count || block[place] == separator || block[place] == 0x0A
                if !isClosed {
                    problem =
                        problem ?? "expected the end of a cell after its closing quote, seen more"
                    while place < block.count, block[place] != separator, block[place] != 0x0A {
                        place += 1
                    }
                }
            } else {
                let first = place
                while place < block.count, block[place] != separator, block[place] != 0x0A {
                    place &+= 1
                }
                let isLast = place == block.count || block[place] == 0x0A
                let hasReturn = isLast && place > first && block[place - 1] == 0x0D
                append(first, hasReturn ? place - 1 : place)
            }
            guard place < block.count else { return (place, problem) }
            place += 1
            if block[place - 1] == 0x0A { return (place, problem) }
        }
    }

    /// Reads a cell after its opening quote; returns the offset after the closing quote.
    private mutating func quoted(_ block: UnsafeRawBufferPointer, from start: Int) -> Int {
        let quote = UInt8(ascii: "\"")
        let first = unescaped.count
        var (place, from) = (start, start)
        while place < block.count {
            guard block[place] == quote else {
                place &+= 1
                continue
            }
            guard place + 1 < block.count, block[place + 1] == quote else { break }
            // Two quotes stand for one.
            unescaped.append(contentsOf: block[from...place])
            place += 2
            from = place
        }
        if from == start {
            append(start, place)
        } else {
            unescaped.append(contentsOf: block[from..<place])
            append(first, unescaped.count, isUnescaped: true)
        }
        return min(place + 1, block.count)
    }

    // MARK: JSON

    /// Reads the cells of a row that is a JSON object, and visits the columns that it has; returns
    /// its problem, if any. Where the object lacks a column's key, the keys below keys of its path
    /// count.
    mutating func readObject(
        _ block: UnsafeRawBufferPointer, _ range: Range<Int>, columns: [String],
        paths: [[String]], _ visit: (Int) -> Void
    ) -> String? {
        reset(absent: columns.count)
        let line = [UInt8](block[range])
        var (object, problem) = (JSONValue?.none, String?.none)
        JSONReader.read(line) { part in
            switch part {
            case .document(let value) where object == nil: object = value
            case .problem(let found, _): problem = problem ?? found.message
            case .document, .emptyArray: problem = problem ?? "expected one object a line"
            }
        }
        if let problem { return problem }
        guard let object, object.members != nil else { return "expected an object" }
        for (column, name) in columns.enumerated() {
            guard let (value, isRepeated) = object.member(name) ?? object.value(at: paths[column])
            else { continue }
            visit(column)
            if isRepeated { repeated.append(column) }
            guard !value.isAbsent else { continue }
            guard let text = value.plainText else {
                return "\(EscapedText.escape(name)): expected a text or a number, seen "
                    + value.kindWords
            }
            let first = unescaped.count
            unescaped.append(contentsOf: text.utf8)
            cells[column] = Cell(
                start: Int32(truncatingIfNeeded: first),
                count: Int32(truncatingIfNeeded: unescaped.count - first), isUnescaped: true)
        }
        return nil
    }
}

extension RowCells {
    /// The problem of a column that a header doesn't name once.
    static func problem(ofColumn name: String, in header: [String]) -> String {
        let count = header.count { $0 == name }
        let shown = header.prefix(40).map { "`\(EscapedText.escape($0))`" }
        return "expected a column `\(EscapedText.escape(name))`, seen "
            + (count == 0 ? shown.joined(separator: ", ") : "\(count) of this name")
    }
}

extension JSONValue {
    /// The last value of a key, and whether the object has the key twice; `nil` without the key.
    fileprivate func member(_ key: String) -> (JSONValue, isRepeated: Bool)? {
        var found: (JSONValue, isRepeated: Bool)?
        for member in members ?? [] where member.key == key {
            found = (member.value, found != nil)
        }
        return found
    }

    /// The value of a key below keys, and whether an object has one of the keys twice; `nil` if
    /// there is none, or if the path is one key.
    fileprivate func value(at path: [String]) -> (JSONValue, isRepeated: Bool)? {
        guard path.count > 1 else { return nil }
        var (value, isRepeated) = (self, false)
        for key in path {
            guard let next = value.member(key) else { return nil }
            (value, isRepeated) = (next.0, isRepeated || next.isRepeated)
            // A key below `null` is as absent as a `null` itself.
            if case .null = value.content { break }
        }
        return (value, isRepeated)
    }
}
