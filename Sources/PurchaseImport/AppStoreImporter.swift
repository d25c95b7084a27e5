import PurchaseEvents

/// Imports App Store data in any mixture: the content of each document tells its kind
/// (importing.md, 1).
///
/// A file holds one document, an array of documents, one document per line, or one receipt. The
/// `at` of a document's events is the document's latest date in the past; for the payload of a JWS,
/// its `signedDate`. The log records documents in the order of these dates, so equal input gives
/// equal bytes.
public struct AppStoreImporter: Importer {
    /// The number of records, and their size in bytes, at which all threads read a batch of
    /// records.
    private static let (batchCount, batchBytes) = (512, 4 << 20)

    /// Creates an importer.
    public init() {}

    /// The importer's name in commands.
    public var name: String { "app-store" }

    /// The data that the importer reads.
    public var summary: String {
        "notifications, signed transactions, API pages, receipts, .storekit files"
    }

    /// Writes one log of all the files.
    public func run(
        _ inputs: [ImportInput], options: ImportOptions, into sink: any ImportSink
    ) throws -> ImportSummary {
        var run = AppStoreImport(options: options, sink: sink)
        for (index, input) in inputs.enumerated() {
            var cutter = try run.cutter(of: input)
            var batch: [RawRecord] = []
            var (bytes, isEmpty) = (0, true)
            while let part = try cutter.next() {
                isEmpty = false
                guard case .record(let record) = part else {
                    try run.take(batch, of: input.name, index)
                    (batch, bytes) = ([], 0)
                    run.note(part, in: input.name)
                    continue
                }
                batch.append(record)
                bytes += record.bytes.count
                if batch.count >= AppStoreImporter.batchCount
                    || bytes >= AppStoreImporter.batchBytes
                {
                    try run.take(batch, of: input.name, index)
                    (batch, bytes) = ([], 0)
                    run.advance(cutter.readBytes)
                }
            }
            try run.take(batch, of: input.name, index)
            run.finish(input.name, cutter, isEmpty: isEmpty)
        }
        return try run.assemble(files: inputs.map(\.name))
    }
}

private struct AppStoreImport {
    private let options: ImportOptions
    private let context: ReadContext
    private let sink: any ImportSink
    private var sorter = SourceSorter()
    private var summary = ImportSummary()
    private var apps = AppNames()
    private var receipts = NamelessReceipts()
    private var environments = AppEnvironments()
    private var pages = OpenPages()
    private var logRemarks = LimitedRemarks()
    private var bytesBefore = 0
    private var fileRemarks = LimitedRemarks()
    private var fileTally = ImportTally()

    init(options: ImportOptions, sink: any ImportSink) {
        self.options = options
        self.sink = sink
        context = ReadContext(options: options)
    }

    /// The cutter of a file: of a table's cells, or of records.
    func cutter(of input: ImportInput) throws -> any FileParts {
        let source = try HeadSource(try input.open())
        if source.mayBeTable, let table = TableCutter(source, name: input.name, options) {
            return table
        }
        return RecordCutter(source)
    }

    private struct Read: Sendable {
        var sources: [(source: StatedSource, packed: PackedSource)]
        var remarks: LimitedRemarks
        var tally: ImportTally
    }

    /// Reads records on all threads, and adds their statements in file order.
    mutating func take(_ batch: [RawRecord], of file: String, _ index: Int) throws {
        let context = context
        let results = concurrentMap(batch.count, threads: options.threads) { number in
            AppStoreImport.read(batch[number], of: file, index, context)
        }
        for result in results {
            for (source, packed) in result.sources {
                apps.take(source, &logRemarks)
                environments.take(source)
                receipts.take(source, &logRemarks)
                try sorter.add(packed.bytes[...], date: source.date)
            }
            fileRemarks.add(result.remarks)
            fileTally.add(result.tally)
            result.tally.pages.forEach { pages.take($0) }
        }
        summary.records += batch.count
    }

    private static func read(
        _ record: RawRecord, of file: String, _ index: Int, _ context: ReadContext
    ) -> Read {
        let remarks = ImportRemarks(onFile: file, record.bytes, from: record.place)
        let sources = Recognition(remarks: remarks, context: context).sources(of: record)
        let packed = sources.map { source in
            let packed = PackedSource(source, file: index)
            for (type, problem) in packed.problems {
                remarks.add(
                    .error, at: 0, "a `\(type.wireName)` can't be written; skipped: \(problem)")
            }
            return (source, packed)
        }
        return Read(sources: packed, remarks: remarks.kept, tally: remarks.tally)
    }

    /// Adds a remark on a part of a file that can't be read.
    mutating func note(_ part: FilePart, in file: String) {
        func remark(_ place: FilePlace, _ message: String) {
            fileRemarks.add(
                .error, at: ImportPlace(file: file, line: place.line, byte: place.byte), message)
        }
        switch part {
        case .record: break
        case .problem(let message, let place, let lines):
            remark(place, Recognition.notJSON(message, at: place.line, lines))
        case .badRow(let message, let line): remark(FilePlace(line: line), message)
        case .tooLarge(let place, let lastLine):
            remark(
                place,
                "expected a record of at most \(RecordCutter.largestRecord >> 20) MiB, seen more; "
                    + "skipped lines \(place.line) to \(lastLine)")
        }
    }

    func advance(_ bytes: Int) {
        sink.advance(bytes: bytesBefore + bytes, records: summary.records)
    }

    mutating func finish(_ file: String, _ cutter: any FileParts, isEmpty: Bool) {
        if isEmpty {
            fileRemarks.add(
                .error, at: ImportPlace(file: file, line: 1),
                "expected App Store data, seen an empty file")
        }
        if cutter.otherCells > 0 {
            fileTally.unplaced[.init(kind: "tables", thing: "other cells")] = cutter.otherCells
        }
        bytesBefore += cutter.readBytes
        advance(0)
        sink.finish(ImportedFile(name: file, tally: fileTally, remarks: fileRemarks.remarks))
        summary.tally.add(fileTally)
        (fileTally, fileRemarks) = (ImportTally(), LimitedRemarks())
    }

    mutating func assemble(files: [String]) throws -> ImportSummary {
        let sink = sink
        var assembler = LogAssembler(options: options, files: files) { try sink.write($0) }
        try assembler.assemble(&sorter, app: apps.app, environments.environment)
        logRemarks.add(assembler.remarks)
        for (kind, place) in pages.all {
            logRemarks.add(
                .note, at: place,
                "more \(kind.words.many) follow; without them, the log lacks what they state")
        }
        summary.remarks = logRemarks.remarks
        summary.events = assembler.events
        summary.tally.repeated = assembler.repeated
        return summary
    }
}
