import PurchaseEvents

/// Imports rows of an app's own table as events: what the app granted, took back or saw
/// (importing.md, 4).
///
/// Reads CSV, TSV and JSON lines with the mapping ``ImportOptions/rows``. A row becomes an event of
/// each kind whose conditions it meets. The log has the events by `at`, and events with equal times
/// in input order. If the mapping gives no `id`, the `id` is a hash of the row, so the same row in
/// two exports is recorded once.
public struct RowImporter: Importer {
    /// Creates an importer.
    public init() {}

    /// The importer's name in commands.
    public var name: String { "rows" }

    /// The data that the importer reads.
    public var summary: String { "rows of your own table (CSV, TSV, JSON lines) as events" }

    /// Writes one log of all the files; without ``ImportOptions/rows``, each file gives an error.
    public func run(
        _ inputs: [ImportInput], options: ImportOptions, into sink: any ImportSink
    ) throws -> ImportSummary {
        var run = RowImport(options, sink)
        for (index, input) in inputs.enumerated() { try run.read(input, index) }
        return try run.assemble(files: inputs.map(\.name))
    }
}

private struct RowImport {
    private let options: ImportOptions
    private let sink: any ImportSink
    private var sorter = SourceSorter()
    private var summary = ImportSummary()
    private var bytesBefore = 0
    /// The state of the current file.
    private var remarks = LimitedRemarks()
    private var rows = 0
    private var unmatched = 0
    private var seen: [Bool] = []
    private var matched: [Bool] = []
    private var amounts: [AmountForms] = []

    init(_ options: ImportOptions, _ sink: any ImportSink) {
        self.options = options
        self.sink = sink
    }

    mutating func read(_ input: ImportInput, _ index: Int) throws {
        var cutter = RowCutter(try input.open(), name: input.name)
        var plan: RowPlan?
        var shares: [RowShare] = []
        (remarks, rows, unmatched) = (LimitedRemarks(), 0, 0)
        (seen, matched, amounts) = ([], [], [])
        while let part = try cutter.next() {
            var part = part
            if plan == nil, case .rows(let block) = part {
                guard let (made, start) = self.plan(for: block, cutter, input.name, index) else {
                    break
                }
                plan = made
                part = .rows(block.dropping(start))
            }
            if plan == nil, case .problem(let message, let line) = part {
                remark(.error, input.name, line, message)
                break
            }
            if shares.last?.isFull ?? true {
                if shares.count == options.threads * 2 {
                    try take(&shares, plan)
                    sink.advance(bytes: bytesBefore + cutter.readBytes, records: summary.records)
                }
                shares.append(RowShare())
            }
            shares[shares.count - 1].append(part)
        }
        try take(&shares, plan)
        if case .failure(let problem) = cutter.format {
            remark(.error, input.name, 1, problem.message)
        }
        finish(input.name, plan)
        bytesBefore += cutter.readBytes
    }

    /// The plan for a file, given its first block, and the offset of the first row.
    private mutating func plan(
        for block: RowBlock, _ cutter: RowCutter, _ name: String, _ index: Int
    ) -> (plan: RowPlan, start: Int)? {
        guard case .success(let format) = cutter.format, let mapping = options.rows else {
            remark(.error, name, 1, "expected a mapping of the rows, seen none")
            return nil
        }
        var (header, start) = ([String]?.none, 0)
        if case .separated(let separator) = format {
            (header, start) = block.bytes.withUnsafeBytes { RowCells.header(of: $0, by: separator) }
        }
        do throws(RowMappingProblem) {
            let plan = try RowPlan(
                mapping, format, header: header, file: (name, index),
                recordedAt: options.recordedAt)
            seen = plan.unseen
            matched = plan.events.map { _ in false }
            amounts = plan.columns.map { _ in [] }
            return (plan, start)
        } catch {
            remark(.error, name, block.line, error.message + "; skipped the file")
            return nil
        }
    }

    /// Reads shares on all threads, and adds their events in file order.
    private mutating func take(_ shares: inout [RowShare], _ plan: RowPlan?) throws {
        guard let plan else { return }
        let (given, options) = (shares, options)
        shares.removeAll()
        let results = concurrentMap(given.count, threads: options.threads) { index in
            var reader = RowReader(plan)
            return reader.read(given[index])
        }
        for result in results {
            var start = 0
            for event in result.events {
                try sorter.add(result.packed[start..<event.end], date: event.at)
                start = event.end
            }
            rows += result.rows
            unmatched += result.unmatched
            summary.records += result.rows
            remarks.add(result.remarks)
            for index in amounts.indices { amounts[index].formUnion(result.amounts[index]) }
            for index in seen.indices where result.seen[index] { seen[index] = true }
            for index in matched.indices where result.matched[index] { matched[index] = true }
        }
    }

    private mutating func finish(_ name: String, _ plan: RowPlan?) {
        if let plan, plan.format == .jsonLines, rows > 0 {
            // A mapping may name keys of kinds of rows that this file doesn't have.
            let all = plan.events.indices
            let read = matched.contains(true) ? all.filter { matched[$0] } : Array(all)
            for index in Set(read.flatMap { plan.events[$0].columns }).sorted() where !seen[index] {
                let column = EscapedText.escape(plan.columns[index])
                remark(.warning, name, 1, "no row has the key `\(column)`")
            }
        }
        if let plan, plan.forms.amounts == .thousandths {
            for index in amounts.indices where amounts[index] == .both {
                let column = EscapedText.escape(plan.columns[index])
                remark(
                    .note, name, 1,
                    "`\(column)` has amounts with a decimal point and whole ones: read the whole "
                        + "ones as thousandths; --amounts=units reads them as units")
            }
        }
        if unmatched > 0 {
            remark(
                .note, name, 1,
                "\(unmatched) of \(rows) rows left out: no event of the mapping matches them")
        }
        sink.finish(ImportedFile(name: name, tally: ImportTally(), remarks: remarks.remarks))
    }

    private mutating func remark(_ level: Level, _ file: String, _ line: Int, _ message: String) {
        remarks.add(level, at: ImportPlace(file: file, line: line), message)
    }

    mutating func assemble(files: [String]) throws -> ImportSummary {
        let sink = sink
        var assembler = LogAssembler(options: options, files: files) { try sink.write($0) }
        try assembler.assemble(&sorter, app: nil, options.rows?.environment)
        summary.remarks = assembler.remarks.remarks
        summary.events = assembler.events
        summary.tally.repeated = assembler.repeated
        return summary
    }
}
