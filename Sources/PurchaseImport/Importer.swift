import PurchaseEvents

/// A file to import: its name for remarks, and its bytes.
public struct ImportFile: Sendable {
    /// How remarks name it: a path, or `-`.
    public var name: String
    /// Its content.
    public var bytes: [UInt8]

    /// A file of that name and content.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// A file to import that is read piece by piece.
public struct ImportInput {
    /// How remarks name it: a path, or `-`.
    public var name: String
    /// Opens it; called once.
    public var open: () throws -> any ByteSource

    /// A file of that name, and how it is opened.
    public init(name: String, open: @escaping () throws -> any ByteSource) {
        self.name = name
        self.open = open
    }
}

/// What an import is told beside its files.
public struct ImportOptions: Sendable {
    /// The secret that notifications of version 1 must carry (G7.2); absent: it isn't checked.
    public var sharedSecret: SharedSecret?
    /// The `at` of every event; absent: the greatest date in each source that has passed.
    public var recordedAt: Timestamp?
    /// What `log.opened` names as the writer.
    public var writer: String
    /// What every document is taken for; absent: what its content says.
    public var kind: ImportKind?
    /// The certificates at which the chain of a signature may end.
    public var roots = TrustedRoots.apple
    /// Whether signatures are verified.
    public var verifies = true
    /// The bundle identifier that records must name, where they name one.
    public var bundleID: String?
    /// The app's identifier in the App Store that records must name, where they name one.
    public var appID: Int64?
    /// Whether receipts are opened that stand within other documents.
    public var opensReceipts = false
    /// How many threads read and verify records; the result doesn't depend on it.
    public var threads = 1

    /// Options; what is absent is as the properties say.
    public init(
        sharedSecret: SharedSecret? = nil, recordedAt: Timestamp? = nil,
        writer: String = "replay import"
    ) {
        self.sharedSecret = sharedSecret
        self.recordedAt = recordedAt
        self.writer = writer
    }
}

/// What an import gives: one log, and what it could not map.
public struct ImportResult: Sendable {
    /// The events, numbered from 1, the first a `log.opened`; none where nothing was recognised.
    public internal(set) var events: [Event<Written>] = []
    /// The canonical lines of ``events``, each with its end of line.
    public internal(set) var log: [UInt8] = []
    /// What could not be mapped or was decided, by file and place.
    public internal(set) var remarks: [ImportRemark] = []
    /// What was counted of all files.
    public internal(set) var tally = ImportTally()

    /// Whether all that the files say is in the log: there is no remark, or there are notes alone.
    public var isComplete: Bool { remarks.allSatisfy { $0.level == .note } }
}

/// What was read of one file.
public struct ImportedFile: Sendable {
    /// How remarks name it.
    public var name: String
    /// What was counted in it.
    public var tally: ImportTally
    /// What could not be mapped or was decided.
    public var remarks: [ImportRemark]
}

/// Where an import writes to.
public protocol ImportSink: AnyObject {
    /// Takes the next bytes of the log.
    func write(_ bytes: [UInt8]) throws
    /// A file was read.
    func finish(_ file: ImportedFile)
    /// So many bytes of the files, and so many records, were read.
    func advance(bytes: Int, records: Int)
}

/// What an import gives beside the log and what was told of each file.
public struct ImportSummary: Sendable {
    /// What was counted of all files.
    public internal(set) var tally = ImportTally()
    /// How many events the log has.
    public internal(set) var events = 0
    /// How many records were read.
    public internal(set) var records = 0
    /// What was decided about the log as a whole.
    public internal(set) var remarks: [ImportRemark] = []
}

/// Turns data of one origin into a log: equal input gives equal bytes.
public protocol Importer: Sendable {
    /// The word that asks for it: `replay import NAME FILE…`.
    var name: String { get }
    /// What it reads, in one line for the help.
    var summary: String { get }
    /// Writes one log of all the files.
    ///
    /// What it can't read or map is a remark. Throws what opening, reading or writing throws. It
    /// costs one pass over the bytes, and memory for the largest record and 60 bytes or so a
    /// record; what is more than 16 MiB of a log waits in a temporary file until all is in order.
    func run(
        _ inputs: [ImportInput], options: ImportOptions, into sink: any ImportSink
    ) throws -> ImportSummary
}

extension Importer {
    /// One log of all the files, in memory.
    public func log(of files: [ImportFile], options: ImportOptions) -> ImportResult {
        let sink = MemorySink()
        let inputs = files.map { file in
            ImportInput(name: file.name) { MemorySource(file.bytes) }
        }
        do {
            let summary = try run(inputs, options: options, into: sink)
            sink.result.remarks += summary.remarks
            sink.result.tally = summary.tally
        } catch {
            let place = ImportPlace(file: files.first?.name ?? "", line: 1, byte: 1, path: "")
            sink.result.remarks.append(
                ImportRemark(level: .error, place: place, message: "the import failed: \(error)"))
        }
        let decoder = LineDecoder()
        for line in sink.result.log.split(separator: UInt8(ascii: "\n")) {
            let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
            if case .event(let event) = decoded { sink.result.events.append(event) }
        }
        return sink.result
    }
}

/// Keeps everything in memory.
private final class MemorySink: ImportSink {
    var result = ImportResult()

    func write(_ bytes: [UInt8]) { result.log += bytes }

    func finish(_ file: ImportedFile) { result.remarks += file.remarks }

    func advance(bytes: Int, records: Int) {}
}

/// The importers there are: a new one is one file and one element here.
public enum Importers {
    /// All of them, in the order of the help.
    public static let all: [any Importer] = [AppStoreImporter()]

    /// The importer of that name.
    public static func named(_ name: String) -> (any Importer)? {
        all.first { $0.name == name }
    }
}
