import PurchaseEvents

/// The parts of a file, in file order.
protocol FileParts {
    mutating func next() throws(ReadProblem) -> FilePart?
    var readBytes: Int { get }
    /// The number of cells that are in none of the columns read.
    var otherCells: Int { get }
}

extension RecordCutter: FileParts {
    var otherCells: Int { 0 }
}

/// Cuts a table (CSV or TSV with a header line) into the cells that hold App Store data, as a
/// database dumps them.
///
/// Reads each column whose first filled cell is a document, or only the column that the options
/// name. Memory: one block of rows.
struct TableCutter: FileParts {
    private var rows: RowCutter
    private let separator: UInt8
    /// For each column, whether its cells are read.
    private let isRead: [Bool]
    private var parts: ArraySlice<FilePart> = []
    /// Whether the parts are all that the file has: a table without the column that the options
    /// name.
    private var isWhole = false
    private var isFirst = true
    private(set) var otherCells = 0

    var readBytes: Int { rows.readBytes }

    /// Returns `nil` for a file whose first bytes don't show a table with App Store data.
    init?(_ source: HeadSource, name: String, _ options: ImportOptions) {
        var head = Array(source.head)
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head.removeFirst(3) }
        let format = RowFormat.recognise(head, name: name)
        guard case .success(.separated(let separator)) = format else { return nil }
        let header = head.withUnsafeBytes { RowCells.header(of: $0, by: separator).names }
        let named = options.column.map { name in header.indices.filter { header[$0] == name } }
        var columns = named ?? []
        if columns.isEmpty {
            columns = TableCutter.documents(head, separator, options)
            // A file of documents, one a line, has no line of several cells.
            let isTable = options.column != nil && header.count > 1
            guard isTable || !columns.isEmpty else { return nil }
            if let column = options.column {
                let problem = RowCells.problem(ofColumn: column, in: header)
                parts = [.badRow(problem + "; skipped the file", line: 1)]
                isWhole = true
            }
        }
        self.separator = separator
        let read = Set(columns)
        isRead = header.indices.map { read.contains($0) }
        rows = RowCutter(source, name: name)
    }

    /// The columns whose first filled cell is a document.
    private static func documents(
        _ head: [UInt8], _ separator: UInt8, _ options: ImportOptions
    ) -> [Int] {
        var cells = RowCells()
        return head.withUnsafeBytes { bytes in
            var (place, problem) = cells.readSeparated(bytes, from: 0, by: separator)
            var isOpen = [Bool](repeating: true, count: cells.count)
            var columns: [Int] = []
            // A header is no document.
            guard problem == nil, !cells.isBlank,
                !isOpen.indices.contains(where: { cells.holdsDocument($0, of: bytes, options) })
            else { return [] }
            while place < bytes.count, isOpen.contains(true) {
                (place, problem) = cells.readSeparated(bytes, from: place, by: separator)
                guard problem == nil, cells.count == isOpen.count else { continue }
                for column in isOpen.indices where isOpen[column] {
                    if cells.isAbsent(column, of: bytes) { continue }
                    isOpen[column] = false
                    if cells.holdsDocument(column, of: bytes, options) { columns.append(column) }
                }
            }
            return columns.sorted()
        }
    }

    /// Whether the first bytes of a file are a table without App Store data: a header line and at
    /// least one row, each of the same number of cells and at least two.
    static func isTableOfOthers(_ source: HeadSource, name: String) -> Bool {
        let head = Array(source.head)
        let format = RowFormat.recognise(head, name: name)
        guard source.mayBeTable, case .success(.separated(let separator)) = format,
            documents(head, separator, ImportOptions()).isEmpty
        else { return false }
        var (cells, width, rows) = (RowCells(), 0, 0)
        return head.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let (next, problem) = cells.readSeparated(bytes, from: place, by: separator)
                let isCut = next == bytes.count && rows > 1
                place = next
                if cells.isBlank || isCut { continue }
                if rows == 0 { width = cells.count }
                rows += 1
                guard problem == nil, cells.count == width else { return false }
            }
            return width > 1 && rows > 1
        }
    }

    mutating func next() throws(ReadProblem) -> FilePart? {
        while true {
            if let part = parts.popFirst() { return part }
            guard !isWhole, let part = try rows.next() else { return nil }
            switch part {
            case .problem(let message, let line): return .badRow(message, line: line)
            case .rows(let block): parts = cut(block)[...]
            }
        }
    }

    /// The filled cells of the columns in a block of rows.
    private mutating func cut(_ block: RowBlock) -> [FilePart] {
        var parts: [FilePart] = []
        var cells = RowCells()
        block.bytes.withUnsafeBytes { bytes in
            var (place, line) = (0, block.line)
            while place < bytes.count {
                let start = place
                let (next, problem) = cells.readSeparated(bytes, from: start, by: separator)
                if isFirst {
                    isFirst = false
                } else if let problem = problem ?? countProblem(cells) {
                    parts.append(.badRow(problem, line: line))
                } else if !cells.isBlank {
                    for column in isRead.indices where !cells.isAbsent(column, of: bytes) {
                        guard isRead[column] else {
                            otherCells += 1
                            continue
                        }
                        let text = cells.withCell(column, of: bytes) { Array($0) }
                        parts.append(
                            .record(
                                RawRecord(form: .text, bytes: text, place: FilePlace(line: line))))
                    }
                }
                for byte in bytes[start..<next] where byte == 0x0A { line += 1 }
                place = next
            }
        }
        return parts
    }

    private func countProblem(_ cells: RowCells) -> String? {
        guard !cells.isBlank, cells.count != isRead.count else { return nil }
        return "expected \(isRead.count) cells as in the header, seen \(cells.count)"
    }
}

extension RowCells {
    /// Whether a cell is empty, or says so as a database does.
    func isAbsent(_ column: Int, of block: UnsafeRawBufferPointer) -> Bool {
        withCell(column, of: block) { cell in
            cell.isEmpty
                || cell.count <= 4 && RowCells.absentWords.contains { $0.elementsEqual(cell) }
        }
    }

    private static let absentWords = ["null", "NULL", "\\N"].map { Array($0.utf8) }

    /// Whether a cell is a document, or an envelope with one.
    fileprivate func holdsDocument(
        _ column: Int, of block: UnsafeRawBufferPointer, _ options: ImportOptions
    ) -> Bool {
        Envelope.isDocument(withCell(column, of: block) { Array($0) }, options)
    }
}
