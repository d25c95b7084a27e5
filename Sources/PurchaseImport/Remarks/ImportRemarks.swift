import PurchaseEvents

/// The remarks on one record, with the places of its bytes in the file.
///
/// A record within the record, such as the payload of a JWS, has remarks of its own that say the
/// place of the whole and the way to the part.
final class ImportRemarks {
    /// What is kept, and how many are left out.
    private(set) var kept = LimitedRemarks()
    /// What was counted.
    private(set) var tally = ImportTally()

    private let file: String
    private let bytes: [UInt8]
    private let start: FilePlace
    private lazy var lines = BytePlaces(of: bytes, from: start)
    /// What the record lies within, at which byte, and the way to it.
    private let whole: (remarks: ImportRemarks, offset: Int, path: String)?

    /// No remarks yet on a record that begins somewhere in a file.
    init(onFile file: String, _ bytes: [UInt8] = [], from start: FilePlace = FilePlace()) {
        self.file = file
        self.bytes = bytes
        self.start = start
        whole = nil
    }

    private init(within whole: ImportRemarks, at offset: Int, path: String) {
        file = whole.file
        bytes = []
        start = FilePlace()
        self.whole = (whole, offset, path)
    }

    /// Remarks on a record that stands as text at a byte of this one.
    func within(at offset: Int, path: String) -> ImportRemarks {
        ImportRemarks(within: self, at: offset, path: path)
    }

    /// The place of a byte of the record.
    func place(of offset: Int, path: String = "") -> ImportPlace {
        if let whole {
            return whole.remarks.place(of: whole.offset, path: joined(path))
        }
        let place = lines.place(of: offset)
        return ImportPlace(file: file, line: place.line, byte: place.byte, path: path)
    }

    /// The way to a part of the record from the root of the whole one.
    private func joined(_ path: String) -> String {
        guard let whole else { return path }
        return whole.path.isEmpty || path.isEmpty ? whole.path + path : "\(whole.path).\(path)"
    }

    /// Adds a remark on the byte at an offset; its words are made only where it is kept.
    ///
    /// - Parameter once: what the remark is about, where one remark on a file is enough.
    func add(
        _ level: Level, at offset: Int, path: String = "", once: String? = nil,
        _ message: @autoclosure () -> String
    ) {
        if let whole {
            return whole.remarks.add(
                level, at: whole.offset, path: joined(path), once: once, message())
        }
        kept.add(level, once: once) {
            ImportRemark(level: level, place: place(of: offset, path: path), message: message())
        }
    }

    /// Adds a remark on a place of the file.
    func add(_ level: Level, in file: String, at place: FilePlace, _ message: String) {
        kept.add(level) {
            ImportRemark(
                level: level,
                place: ImportPlace(file: file, line: place.line, byte: place.byte, path: ""),
                message: message)
        }
    }

    /// Counts something that a kind of record says and that the log has no place for.
    func count(unplaced thing: String, in kind: String) {
        change { $0.unplaced[.init(kind: kind, thing: thing), default: 0] += 1 }
    }

    /// Counts a document of a kind.
    func count(_ kind: ImportKind) { change { $0.kinds[kind, default: 0] += 1 } }

    /// Counts a signature by its outcome.
    func count(_ signature: SignatureCheck) { change { $0.signatures[signature, default: 0] += 1 } }

    private func change(_ body: (inout ImportTally) -> Void) {
        if let whole { return whole.remarks.change(body) }
        body(&tally)
    }

    /// Adds a remark on a key that the App Store is not known to write, once for each key of a
    /// kind of record: the rows of a long history would say it again and again.
    func addUnknownKey(_ key: String, in kind: String, at offset: Int, path: String) {
        add(
            .note, at: offset, path: path, once: "\(kind) \(key)",
            "unknown key: ignored everywhere in this file")
    }
}

/// The first remarks, and how many more there are, so that memory doesn't grow with what is wrong.
struct LimitedRemarks: Sendable {
    /// The most remarks that are kept.
    static let limit = 1_000

    private var all: [(remark: ImportRemark, once: String?)] = []
    private var leftOut: (count: Int, gravest: ImportRemark)?
    private var said: Set<String> = []

    /// Whether there are none.
    var isEmpty: Bool { all.isEmpty }

    /// The remarks; where there were too many, the last one is the gravest of those that were left
    /// out, and says how many they are.
    var remarks: [ImportRemark] {
        guard let leftOut else { return all.map(\.remark) }
        var last = leftOut.gravest
        if leftOut.count > 1 {
            last.message += "; \(leftOut.count - 1) more remarks on this file omitted"
        }
        return all.map(\.remark) + [last]
    }

    /// Adds a remark, whose words are made only where it is kept.
    mutating func add(_ level: Level, once: String? = nil, _ make: () -> ImportRemark) {
        if let once, !said.insert(once).inserted { return }
        if all.count < LimitedRemarks.limit {
            all.append((make(), once))
        } else {
            leaveOut(1, level, make)
        }
    }

    /// Adds a remark.
    mutating func add(_ remark: ImportRemark) { add(remark.level) { remark } }

    /// Adds the remarks on a record to those on its file.
    mutating func add(_ other: LimitedRemarks) {
        for (remark, once) in other.all { add(remark.level, once: once) { remark } }
        if let more = other.leftOut { leaveOut(more.count, more.gravest.level) { more.gravest } }
    }

    private mutating func leaveOut(_ count: Int, _ level: Level, _ make: () -> ImportRemark) {
        if let gravest = leftOut?.gravest, level.gravity <= gravest.level.gravity {
            leftOut?.count += count
        } else {
            leftOut = ((leftOut?.count ?? 0) + count, make())
        }
    }
}

extension Level {
    fileprivate var gravity: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
