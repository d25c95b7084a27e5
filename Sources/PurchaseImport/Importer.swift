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

/// What an import is told beside its files.
public struct ImportOptions: Sendable {
    /// The secret that notifications must carry (G7.2); absent: it isn't checked.
    public var sharedSecret: SharedSecret?
    /// The `at` of every event; absent: the greatest date in each source that has passed.
    public var recordedAt: Timestamp?
    /// What `log.opened` names as the writer.
    public var writer: String

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

    /// Whether all that the files say is in the log: there is no remark, or there are notes alone.
    public var isComplete: Bool { remarks.allSatisfy { $0.level == .note } }
}

/// Turns data of one origin into a log: a pure function, so that equal input gives equal bytes.
public protocol Importer: Sendable {
    /// The word that asks for it: `replay import NAME FILE…`.
    var name: String { get }
    /// What it reads, in one line for the help.
    var summary: String { get }
    /// One log of all the files.
    ///
    /// It never fails: what it can't read or map is a remark. It costs one pass over the bytes and
    /// memory for all that they state.
    func log(of files: [ImportFile], options: ImportOptions) -> ImportResult
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
