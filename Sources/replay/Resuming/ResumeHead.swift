import PurchaseEvents

/// The first block of the file of `--resume`: what the file was made by, and where its parts lie.
///
/// It takes less than a sector of a disk, so it is written in place as a whole or not at all.
struct ResumeHead: Snapshotted {
    private var magic = ResumeHead.magic
    private var identity = ""
    var logs = 0
    /// The offset after the state of the logs, which begins after the head.
    var endOfState = 0
    /// The part that says how the last run ended: its offset, and the offset after it.
    var start = 0, end = 0
    /// Whether nothing may follow the last part: no run has changed the file in place.
    var isClosed = true

    private static let magic = "\(magicOfAnyFormat)9"
    private static let magicOfAnyFormat = "replay --resume, format "

    static let size = ResumeHead(of: "").bytes.count

    init(of identity: String) { self.identity = SHA256.hash(Array(identity.utf8)).hex }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&magic).visit(&identity).visit(&logs).visit(&endOfState).visit(&start)
        visitor.visit(&end).visit(&isClosed)
    }

    /// Whether the same program, with the same rules and options, wrote the file of another head.
    func fits(_ other: ResumeHead) -> Bool { (magic, identity) == (other.magic, other.identity) }

    /// Whether a file of a size can have the parts.
    func fits(size: Int) -> Bool {
        ResumeHead.size <= endOfState && endOfState <= start && start <= end
            && (isClosed ? end == size : end <= size)
    }

    /// Whether the first bytes of a file are those of one that `--resume` wrote, whatever follows.
    static func begins(_ file: [UInt8]) -> Bool {
        let words = Array(magicOfAnyFormat.utf8)
        guard let place = ResumeHead(of: "").bytes.firstRange(of: words) else { return false }
        return file.dropFirst(place.lowerBound).starts(with: words)
    }

    var bytes: [UInt8] {
        var head = self
        return SnapshotWriter.bytes { head.visitFields($0) }
    }
}

/// How a run left a log: how much it had read, and what it had found.
struct LastRun: SnapshottedElement {
    private(set) var mark = LogMark()
    private(set) var lines = 0
    var printed = PrintedFindings()

    init() {}

    init(_ mark: LogMark, lines: Int) { (self.mark, self.lines) = (mark, lines) }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&mark).visit(&lines).visit(&printed)
    }
}
