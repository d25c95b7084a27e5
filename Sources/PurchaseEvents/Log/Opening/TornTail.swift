/// Cuts a torn tail off a log without losing a byte, whatever fails in between.
///
/// The bytes are copied to a file beside the log and synced; then the copy gets its name, and only
/// then the tail is cut. So a file with this name is complete, and if a crash comes before the cut,
/// cutting again has the same result. The name contains the offset of the cut. A writable copy at
/// the log's current end isn't reported in the log yet; once a `log.recovered` reports a copy, the
/// copy becomes read-only. So a copy from an earlier log of the same name isn't mistaken for a copy
/// from this log.
enum TornTail {
    private static let nameLimit = 1_000

    /// The path of the copy of a tail that was cut at an offset, where there may be several.
    static func path(beside path: String, at offset: Int64, _ number: Int) -> String {
        "\(path).tail-\(offset)" + (number == 1 ? "" : "-\(number)")
    }

    /// Copies the tail and cuts it off a file; the log has `base` bytes before the file.
    static func cut(_ tail: LogTail, off source: OwnedFile, at base: Int64) throws(EventLogError) {
        try keep(tail, of: source, from: tail.position.offset - base)
        try source.doing(.cut, source.setSize(tail.position.offset - base))
        try source.doing(.sync, source.sync())
    }

    /// The copies of tails cut at a position that the log doesn't report yet.
    static func kept(
        at position: LogPosition, beside path: String, files: RetryingFiles
    ) throws(EventLogError) -> [CutTail] {
        var found: [CutTail] = []
        for number in 1...nameLimit {
            let path = TornTail.path(beside: path, at: position.offset, number)
            let copy: OwnedFile
            switch try file(at: path, files) {
            case .free: return found
            case .foreign: continue
            case .kept(let file): copy = file
            }
            let size = try copy.status().size
            guard size > 0 else { continue }
            var hash = SHA256()
            try copy.eachChunk(0..<size) { (bytes, _) throws(EventLogError) in
                bytes.withUnsafeBytes { hash.update($0) }
            }
            found.append(
                CutTail(
                    tail: LogTail(position: position, length: size), path: path,
                    sha256: hash.finish().hex))
        }
        return found
    }

    /// Makes the copies read-only if the file system allows it, because the log now reports them.
    static func seal(_ cuts: [CutTail], files: RetryingFiles) {
        for cut in cuts {
            (try? OwnedFile(at: cut.path, for: .reading, files: files))?.setReadOnly()
        }
    }

    private enum Found {
        case free
        /// A copy that the log doesn't report yet.
        case kept(OwnedFile)
        /// A copy that a log already reports, or a file of another origin.
        case foreign
    }

    private static func file(
        at path: String, _ files: RetryingFiles
    ) throws(EventLogError) -> Found {
        do throws(EventLogError) {
            let file = try OwnedFile(at: path, for: .reading, files: files)
            return try file.status().isReadOnly ? .foreign : .kept(file)
        } catch .noSuchLog {
            return .free
        } catch .notARegularFile {
            return .foreign
        } catch .failed(.open, _, let error) where error.isDenied {
            return .foreign
        }
    }

    /// Copies the tail to a new file, unless a copy with the same bytes exists.
    private static func keep(
        _ tail: LogTail, of source: OwnedFile, from start: Int64
    ) throws(EventLogError) {
        let range = start..<start + tail.length
        let offset = tail.position.offset
        for number in 1...nameLimit {
            let path = TornTail.path(beside: source.path, at: offset, number)
            switch try file(at: path, source.files) {
            case .free: return try write(range, of: source, to: path)
            case .foreign: continue
            case .kept(let copy):
                guard try isSame(copy, range, of: source) else { continue }
                // The name of the copy may not be on the disk yet.
                return try copy.doing(.sync, copy.syncFolder())
            }
        }
        throw .alreadyExists(path: TornTail.path(beside: source.path, at: offset, 1))
    }

    private static func write(
        _ range: Range<Int64>, of source: OwnedFile, to path: String
    ) throws(EventLogError) {
        let copy = try OwnedFile.replacing(path + ".part", files: source.files)
        try source.eachChunk(range) { (bytes, _) throws(EventLogError) in
            try copy.doing(.write, copy.append(bytes))
        }
        try copy.doing(.sync, copy.sync())
        try copy.rename(to: path, as: .sync)
    }

    private static func isSame(
        _ copy: OwnedFile, _ range: Range<Int64>, of source: OwnedFile
    ) throws(EventLogError) -> Bool {
        guard try copy.status().size == Int64(range.count) else { return false }
        var isSame = true
        try source.eachChunk(range) { (bytes, offset) throws(EventLogError) in
            guard isSame else { return }
            isSame = try copy.read(at: offset - range.lowerBound, count: bytes.count) == bytes
        }
        return isSame
    }
}
