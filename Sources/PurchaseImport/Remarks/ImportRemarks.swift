import PurchaseEvents

/// Collects the remarks on one record, with their places in the file.
///
/// A record inside the record, such as the payload of a JWS, has its own remarks, with the place of
/// the outer record and the path to the inner one.
final class ImportRemarks {
    private(set) var kept = LimitedRemarks()
    private(set) var tally = ImportTally()

    private let file: String
    private let bytes: [UInt8]
    private let start: FilePlace
    private lazy var lines = BytePlaces(of: bytes, from: start)
    /// The outer record, the offset of this record in it, and the path to this record.
    private let outer: (remarks: ImportRemarks, offset: Int, path: String)?

    init(onFile file: String, _ bytes: [UInt8] = [], from start: FilePlace = FilePlace()) {
        self.file = file
        self.bytes = bytes
        self.start = start
        outer = nil
    }

    private init(within outer: ImportRemarks, at offset: Int, path: String) {
        file = outer.file
        bytes = []
        start = FilePlace()
        self.outer = (outer, offset, path)
    }

    /// The remarks on a record that is a text at an offset of this record.
    func within(at offset: Int, path: String) -> ImportRemarks {
        ImportRemarks(within: self, at: offset, path: path)
    }

    /// The place of a byte of the record.
    func place(of offset: Int, path: String = "") -> ImportPlace {
        if let outer { return outer.remarks.place(of: outer.offset, path: joined(path)) }
        let place = lines.place(of: offset)
        return ImportPlace(file: file, line: place.line, byte: place.byte, path: path)
    }

    /// The path from the root of the outermost record to a part of this record.
    private func joined(_ path: String) -> String {
        guard let outer else { return path }
        return outer.path.isEmpty || path.isEmpty ? outer.path + path : "\(outer.path).\(path)"
    }

    /// Adds a remark on the byte at an offset, only the first of a file about a subject given as
    /// `once`; computes the message only if the remark is kept.
    func add(
        _ level: Level, at offset: Int, path: String = "", once: String? = nil,
        _ message: @autoclosure () -> String
    ) {
        if let outer {
            return outer.remarks.add(
                level, at: outer.offset, path: joined(path), once: once, message())
        }
        kept.add(level, at: place(of: offset, path: path), once: once, message())
    }

    func count(unplaced thing: String, in kind: String) {
        change { $0.unplaced[.init(kind: kind, thing: thing), default: 0] += 1 }
    }

    /// Counts a document of a kind; -1 takes back a count of a document that is of another kind.
    func count(_ kind: ImportKind, _ number: Int = 1) {
        change { tally in
            let count = tally.kinds[kind, default: 0] + number
            tally.kinds[kind] = count == 0 ? nil : count
        }
    }

    func countUnnamedCustomer() { change { $0.unnamedCustomers += 1 } }

    /// Records a customer whose record names its account by a token, or by the customer alone.
    func note(_ customer: String, hasToken: Bool) {
        let key = PackedSource.fingerprint(of: customer)
        change { $0.accountKeys[key, default: []].formUnion(hasToken ? .token : .customer) }
    }

    func note(_ page: PageEnd) { change { $0.pages.append(page) } }

    func count(_ signature: SignatureCheck) { change { $0.signatures[signature, default: 0] += 1 } }

    private func change(_ body: (inout ImportTally) -> Void) {
        if let outer { return outer.remarks.change(body) }
        body(&tally)
    }
}

/// The first remarks and the number of omitted ones, so that memory doesn't grow with the remarks.
struct LimitedRemarks: Sendable {
    static let limit = 1_000
    /// The most subjects to recognise again.
    private static let mostSubjects = 10_000

    private var all: [(remark: ImportRemark, once: String?)] = []
    private var leftOut: (count: Int, gravest: ImportRemark)?
    private var said: Set<String> = []

    var isEmpty: Bool { all.isEmpty }

    /// The remarks; if some were omitted, the last remark is the gravest of them and gives their
    /// number.
    var remarks: [ImportRemark] {
        guard let leftOut else { return all.map(\.remark) }
        var last = leftOut.gravest
        if leftOut.count > 1 {
            last.message += "; \(leftOut.count - 1) more remarks on this file omitted"
        }
        return all.map(\.remark) + [last]
    }

    /// Adds a remark; computes it only if it is kept.
    private mutating func add(_ level: Level, once: String?, _ make: () -> ImportRemark) {
        if let once {
            if said.contains(once) { return }
            if said.count < LimitedRemarks.mostSubjects { said.insert(once) }
        }
        if all.count < LimitedRemarks.limit {
            all.append((make(), once))
        } else {
            leaveOut(1, level, make)
        }
    }

    mutating func add(
        _ level: Level, at place: @autoclosure () -> ImportPlace, once: String? = nil,
        _ message: @autoclosure () -> String
    ) {
        add(level, once: once) { ImportRemark(level: level, place: place(), message: message()) }
    }

    /// Adds the remarks on a record to those on its file.
    mutating func add(_ other: LimitedRemarks) {
        for (remark, once) in other.all { add(remark.level, once: once) { remark } }
        if let more = other.leftOut { leaveOut(more.count, more.gravest.level) { more.gravest } }
    }

    private mutating func leaveOut(_ count: Int, _ level: Level, _ make: () -> ImportRemark) {
        if let gravest = leftOut?.gravest, level.rank >= gravest.level.rank {
            leftOut?.count += count
        } else {
            leftOut = ((leftOut?.count ?? 0) + count, make())
        }
    }
}
