import PurchaseEvents

struct ReadRows: Sendable {
    /// The events, packed by ``PackedSource``, one after another.
    var packed: [UInt8] = []
    /// For each event, its `at` and the end of its bytes.
    var events: [(at: Timestamp, end: Int)] = []
    var remarks = LimitedRemarks()
    /// The number of rows, and of rows that match no event of the mapping.
    var rows = 0, unmatched = 0
    /// For each column of JSON lines, whether some row has it; empty for other formats.
    var seen: [Bool]
    /// For each event of the mapping, whether some row matches it.
    var matched: [Bool]
    /// For each column, the forms of its amounts.
    var amounts: [AmountForms]
}

struct AmountForms: OptionSet {
    let rawValue: UInt8

    /// Some amount has a decimal point.
    static let decimal = AmountForms(rawValue: 1)
    /// Some amount other than 0 has none.
    static let whole = AmountForms(rawValue: 2)
    static let both: AmountForms = [decimal, whole]
}

/// Turns a share of a file's rows into events, with a decoder of its own, so that threads can read
/// shares at once.
struct RowReader: ~Copyable {
    private let plan: RowPlan
    private var cells = RowCells()
    private var line = LineBuffer()
    private let decoder = LineDecoder()
    /// The bytes to hash for the `id` of a row; reused from row to row.
    private var hashInput: [UInt8] = []
    private var result: ReadRows

    init(_ plan: RowPlan) {
        self.plan = plan
        result = ReadRows(
            seen: plan.unseen, matched: plan.events.map { _ in false },
            amounts: plan.columns.map { _ in [] })
    }

    mutating func read(_ share: RowShare) -> ReadRows {
        for part in share.parts {
            switch part {
            case .rows(let block): read(block)
            case .problem(let message, let line): remark(line, "", message)
            }
        }
        return result
    }

    private mutating func read(_ block: RowBlock) {
        block.bytes.withUnsafeBytes { bytes in
            var (place, line) = (0, block.line)
            while place < bytes.count {
                let (next, problem) = cut(bytes, from: place)
                if !isBlank(bytes[place..<next]) {
                    result.rows += 1
                    take(bytes, place..<next, problem, line)
                }
                for byte in bytes[place..<next] where byte == 0x0A { line &+= 1 }
                place = next
            }
        }
    }

    private func isBlank(_ row: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard row.count <= 2 || plan.format == .jsonLines else { return false }
        return row.allSatisfy(JSONReader.isSpace)
    }

    /// Reads the cells of a row; returns the offset of the next row.
    private mutating func cut(
        _ bytes: UnsafeRawBufferPointer, from start: Int
    ) -> (next: Int, problem: String?) {
        switch plan.format {
        case .separated(let separator):
            let (next, problem) = cells.readSeparated(bytes, from: start, by: separator)
            guard problem == nil, cells.count != plan.columns.count else { return (next, problem) }
            return (
                next, "expected \(plan.columns.count) cells as in the header, seen \(cells.count)"
            )
        case .jsonLines:
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let next = min(end + 1, bytes.count)
            if isBlank(bytes[start..<next]) { return (next, nil) }
            let problem = cells.readObject(
                bytes, start..<end, columns: plan.columns, paths: plan.paths
            ) {
                result.seen[$0] = true
            }
            return (next, problem)
        }
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ row: Range<Int>, _ problem: String?, _ line: Int
    ) {
        if let problem { return remark(line, "", problem) }
        for column in cells.repeated {
            remark(
                line, plan.columns[column], "duplicate key; used the last value", level: .warning)
        }
        var isTaken = false
        for (index, event) in plan.events.enumerated() where holds(event, bytes) {
            isTaken = true
            result.matched[index] = true
            write(event, bytes, line)
        }
        if !isTaken { result.unmatched += 1 }
    }

    private mutating func remark(
        _ line: Int, _ column: String, _ message: String, level: Level = .error
    ) {
        let place = ImportPlace(file: plan.file.name, line: line, path: column)
        result.remarks.add(level, at: place, message)
    }

    private func holds(_ event: RowPlan.EventPlan, _ bytes: UnsafeRawBufferPointer) -> Bool {
        event.conditions.allSatisfy { column, values, isNegated in
            let isAbsent = cells.isAbsent(column, of: bytes)
            return isNegated
                != cells.withCell(column, of: bytes) { cell in
                    values.contains { $0.elementsEqual(cell) || $0.isEmpty && isAbsent }
                }
        }
    }

    // MARK: Writing

    private static let beginning = Array(#"{"seq":1,"at":"#.utf8)

    /// Writes an event of the row, or adds a remark with the reason why it can't.
    private mutating func write(
        _ event: RowPlan.EventPlan, _ bytes: UnsafeRawBufferPointer, _ number: Int
    ) {
        guard let at = at(of: event, bytes, number) else { return }
        line.removeAll()
        append(RowReader.beginning)
        line.append(at)
        append(RowReader.typeKey)
        line.append(quoted: event.type.wireName)
        append(RowReader.idKey)
        guard writeID(of: event, bytes, number) else { return }
        for step in event.steps {
            switch step.origin {
            case .constant(let constant):
                append(step.key)
                append(constant.bytes)
            case .column(let column):
                guard write(step, column, bytes, number) else { return }
            }
        }
        line.append(UInt8(ascii: "}"))
        finish(event, at, number)
    }

    private static let typeKey = Array(#","type":"#.utf8)
    private static let idKey = Array(#","id":"#.utf8)

    private mutating func at(
        of event: RowPlan.EventPlan, _ bytes: UnsafeRawBufferPointer, _ number: Int
    ) -> Timestamp? {
        if let at = plan.recordedAt { return at }
        switch event.at {
        case .constant(let constant): return constant.time
        case .column(let column):
            let (time, problem) = cells.withCell(column, of: bytes) { cell in
                let time = plan.forms.times.time(cell)
                return (time, time == nil ? self.problem(cell, plan.forms.times.problem(cell)) : "")
            }
            if time == nil { remark(number, plan.columns[column], problem) }
            return time
        case nil:
            remark(number, "", "expected a column or a time for `at`")
            return nil
        }
    }

    private func problem(_ cell: UnsafeRawBufferPointer, _ message: String) -> String {
        cell.isEmpty ? "expected a value, seen an empty cell" : message
    }

    /// Writes a key and the value of its cell; returns false, with a remark, if the cell has no
    /// valid value.
    private mutating func write(
        _ step: RowPlan.Step, _ column: Int, _ bytes: UnsafeRawBufferPointer, _ number: Int
    ) -> Bool {
        let isAbsent = cells.isAbsent(column, of: bytes)
        let problem = cells.withCell(column, of: bytes) { cell -> String? in
            if isAbsent {
                // An empty cell leaves the key out.
                return step.field.isRequired ? "expected a value, seen an empty cell" : nil
            }
            append(step.key)
            if RowForms.isAmount(step.field.key) { noteAmount(cell, column) }
            return CellValue.append(
                cell, of: step.field.key, step.field.kind, plan.forms, to: &line)
        }
        if let problem { remark(number, plan.columns[column], problem) }
        return problem == nil
    }

    private mutating func noteAmount(_ cell: UnsafeRawBufferPointer, _ column: Int) {
        if cell.firstIndex(of: UInt8(ascii: "."), from: 0) != nil {
            result.amounts[column].insert(.decimal)
        } else if cell.count > 1 || cell.first != UInt8(ascii: "0") {
            result.amounts[column].insert(.whole)
        }
    }

    /// Writes the `id`: its constant, the value of its column, or a hash of the event type and all
    /// cells.
    private mutating func writeID(
        of event: RowPlan.EventPlan, _ bytes: UnsafeRawBufferPointer, _ number: Int
    ) -> Bool {
        switch event.id {
        case .constant(let constant): append(constant.bytes)
        case .column(let column):
            let problem = cells.withCell(column, of: bytes) { cell -> String? in
                cell.isEmpty
                    ? self.problem(cell, "")
                    : CellValue.append(cell, of: .id, .id, plan.forms, to: &line)
            }
            if let problem {
                remark(number, plan.columns[column], problem)
                return false
            }
        case nil: line.append(quoted: rowHash(event, bytes))
        }
        return true
    }

    /// The hash of the type and the cells, each preceded by its length, as hex digits.
    private mutating func rowHash(
        _ event: RowPlan.EventPlan, _ bytes: UnsafeRawBufferPointer
    ) -> String {
        hashInput.removeAll(keepingCapacity: true)
        hashInput.append(event.type.rawValue)
        for index in 0..<cells.count {
            cells.withCell(index, of: bytes) { cell in
                withUnsafeBytes(of: UInt32(cell.count).littleEndian) {
                    hashInput.append(contentsOf: $0)
                }
                hashInput.append(contentsOf: cell)
            }
        }
        return SHA256.shortHex(hashInput)
    }

    private mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { line.append(contentsOf: $0) }
    }

    /// Decodes the line and packs it; a line that the format refuses gives a remark instead.
    private mutating func finish(_ event: RowPlan.EventPlan, _ at: Timestamp, _ number: Int) {
        switch decoder.decodeFingerprinted(UnsafeRawBufferPointer(line.written)) {
        case .event(let decoded):
            let written = UnsafeRawBufferPointer(line.written)
            PackedSource.append(
                row: UnsafeRawBufferPointer(rebasing: written[PackedSource.beginning.count...]),
                id: decoded.id ?? Fingerprint(high: 0, low: 0), place: (plan.file.index, number),
                to: &result.packed)
            result.events.append((at, result.packed.count))
        case .notUnderstood(let diagnostic): remark(number, "", diagnostic.message)
        case .blank: break
        }
    }
}
