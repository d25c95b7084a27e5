import PurchaseEvents
import PurchaseImport

/// A running import: reads the files that the arguments name, and reports on each.
final class ImportRun: ImportSink {
    private let session: ToolSession
    private let progress: Progress?
    private var inputs: [ImportInput] = []

    private var counts = LineCounts()
    private var levels: [Level: Int] = [:]

    /// Finds the files that the arguments name; a folder stands for its files by name, without
    /// hidden ones, and if `isDeep` for those of the folders in it, save those known to hold no App
    /// Store data.
    init(_ session: ToolSession, _ paths: [String], isDeep: Bool = false) throws(ToolError) {
        self.session = session
        var (inputs, size) = ([ImportInput](), Int?(0))
        for path in paths {
            for (path, bytes) in try ImportRun.files(of: path, isDeep: isDeep, session) {
                size = size.flatMap { size in bytes.map { size + $0 } }
                inputs.append(
                    ImportInput(name: path) {
                        try ToolError.asking(to: .open, path, try session.host.source(of: path))
                    })
            }
        }
        self.inputs = inputs
        progress = Progress(session, totalBytes: size, unit: "records")
    }

    func run(_ importer: any Importer, _ options: ImportOptions) throws -> ToolStatus {
        let summary: ImportSummary
        do {
            summary = try importer.run(inputs, options: options, into: self)
        } catch let error as ReadProblem {
            throw ToolError.ioFailed("reading failed: \(error)")
        }
        progress?.finish(counts)
        try session.output.flush()
        tell(summary.remarks)
        tellUnplaced(summary.tally)
        tellTotal(summary)
        let isComplete = levels[.error, default: 0] + levels[.warning, default: 0] == 0
        return isComplete ? .well : .undetermined
    }

    func write(_ bytes: [UInt8]) throws { try session.output.write(bytes) }

    func advance(bytes: Int, records: Int) {
        (counts.bytes, counts.events) = (bytes, records)
        progress?.show(counts)
    }

    func finish(_ file: ImportedFile) {
        // `counts` already covers every file so far.
        progress?.clear()
        tell(file.remarks)
        let kinds = ImportRun.words(of: file.tally)
        guard !kinds.isEmpty else { return }
        session.tell("\(file.name.escaped): \(kinds)")
    }

    private func tell(_ remarks: [ImportRemark]) {
        for remark in remarks {
            levels[remark.level, default: 0] += 1
            session.writeError("\(remark)\n")
        }
    }

    /// The kinds of documents in a file, and the outcomes of their signatures.
    private static func words(of tally: ImportTally) -> String {
        let kinds = ImportKind.allCases.compactMap { kind in
            tally.kinds[kind].map { $0.counted(kind.words.one, kind.words.many) }
        }
        let signatures = SignatureCheck.allCases.compactMap { outcome in
            tally.signatures[outcome].map { "\($0.grouped) \(outcome.rawValue)" }
        }
        guard !signatures.isEmpty else { return kinds.joined(separator: ", ") }
        let known = kinds.isEmpty ? "no known document" : kinds.joined(separator: ", ")
        return known + "; signatures: " + signatures.joined(separator: ", ")
    }

    /// Lists the data that the log can't record, one line for each kind of record, and counts
    /// repeated statements.
    private func tellUnplaced(_ tally: ImportTally) {
        let kinds = Set(tally.unplaced.keys.map(\.kind)).sorted()
        for kind in kinds {
            let things = tally.unplaced.filter { $0.key.kind == kind }.sorted { $0.key < $1.key }
                .map { "\($0.key.thing.escaped) (\($0.value.grouped))" }
            session.tell(
                "note: \(kind) contain data that the log can't record: "
                    + things.joined(separator: ", "))
        }
        if tally.unnamedCustomers > 0 {
            session.tell(
                "note: \(tally.unnamedCustomers.counted("transaction")) "
                    + "\(tally.unnamedCustomers == 1 ? "names" : "name") a customer "
                    + "(appTransactionId) but no account token: --account=customer or "
                    + "--account=token-or-customer makes the customer the account")
        }
        if tally.dividedCustomers > 0 {
            let (has, isTwo) = tally.dividedCustomers == 1 ? ("has", "it is") : ("have", "each is")
            session.tell(
                "note: \(tally.dividedCustomers.counted("customer")) (appTransactionId) \(has) "
                    + "records with an account token and others without: \(isTwo) two accounts in "
                    + "the log, and delivered-to-payer may warn where the app delivered to one")
        }
        if tally.repeated > 0 {
            session.tell(
                "note: \(tally.repeated.counted("repeated statement")), "
                    + (tally.repeated == 1 ? "recorded once" : "each recorded once"))
        }
    }

    private func tellTotal(_ summary: ImportSummary) {
        let remarks = [Level.error, .warning, .note].map { level in
            levels[level, default: 0].counted(level.rawValue)
        }
        session.tell(
            "\(inputs.count.counted("file")), "
                + "\(summary.records.counted("record")): \(summary.events.counted("event")); "
                + "\(remarks.joined(separator: ", ")); " + TextFormat.seconds(session.host.elapsed))
    }
}

extension ImportRun {
    private static func files(
        of path: String, isDeep: Bool, _ session: ToolSession
    ) throws(ToolError) -> [(path: String, bytes: Int?)] {
        if path == "-" { return [(path, session.host.standardInputSize)] }
        switch try ToolError.asking(to: .read, path, try session.host.kind(of: path)) {
        case .file(let size): return [(path, size)]
        case .stream: return [(path, nil)]
        case .folder: break
        }
        var files: [(path: String, bytes: Int?)] = []
        var passed: [String] = []
        let base = path.hasSuffix("/") ? path : path + "/"
        try add(
            filesIn: base, depth: isDeep ? deepest : 0, isDeep: isDeep, session, &files, &passed)
        if !passed.isEmpty {
            session.tell(
                "note: \(path.escaped): passed over what isn't App Store data: "
                    + passed.joined(separator: ", "))
        }
        guard !files.isEmpty else { throw .noInput("no files in `\(path.escaped)`") }
        return files
    }

    /// The number of levels of folders that are read in a folder; a link may lead round in circles.
    private static let deepest = 4

    /// Adds the files in a folder, whose path ends with a slash, and in `depth` levels of folders
    /// in it.
    private static func add(
        filesIn base: String, depth: Int, isDeep: Bool, _ session: ToolSession,
        _ files: inout [(path: String, bytes: Int?)], _ passed: inout [String]
    ) throws(ToolError) {
        let names = try ToolError.asking(to: .read, base, try session.host.names(in: base))
        for name in names.sorted(by: FolderOrder.precedes) where !name.hasPrefix(".") {
            let path = base + name
            do throws(ToolError) {
                switch try ToolError.asking(to: .read, path, try session.host.kind(of: path)) {
                case .stream: break
                case .folder:
                    guard depth > 0 else { break }
                    let inner = path + "/"
                    try add(
                        filesIn: inner, depth: depth - 1, isDeep: isDeep, session, &files, &passed)
                case .file(let size):
                    if isDeep, let words = try words(of: path, session) {
                        passed.append("\(name.escaped) (\(words))")
                    } else {
                        files.append((path, size))
                    }
                }
            } catch {
                session.miss(error.message)
            }
        }
    }

    /// What a file is that holds no App Store data; `nil` for any other file.
    private static func words(
        of path: String, _ session: ToolSession
    ) throws(ToolError) -> String? {
        OwnFile.words(of: try session.bytes(of: path, upTo: OwnFile.headLength), name: path)
    }
}
