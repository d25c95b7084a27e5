/// Cuts a torn tail off a log, so that nothing of it is lost whatever fails on the way.
///
/// The bytes are written to a file of their own beside the log, synced, given their name, and only
/// then cut: a file of that name is whole, and after a crash before the cut the tail is still
/// there, so cutting it again comes to the same. A file whose name ends with the place where the
/// log ends now is one of which the log doesn't tell yet, unless nobody may write to it: once the
/// log tells of it, it is sealed. So what an earlier log of that name left isn't taken for its own.
enum TornTail {
    /// How many files beside a log are tried for one tail.
    private static let nameLimit = 1_000
    private static let chunk = 64 * 1_024

    /// The file beside a log that keeps what was cut off at a place; the first one or a further.
    static func path(beside path: String, at offset: Int64, _ number: Int) -> String {
        "\(path).tail-\(offset)" + (number == 1 ? "" : "-\(number)")
    }

    /// Keeps the tail and cuts it off the file, of which `base` bytes of the log lie before.
    static func cut(
        _ tail: LogTail, off source: OwnedFile, at base: Int64
    ) throws(EventLogError) {
        try keep(tail, of: source, from: tail.position.offset - base)
        try source.doing(.cut) { () throws(SystemError) in
            try source.setSize(tail.position.offset - base)
        }
        try source.doing(.sync) { () throws(SystemError) in _ = try source.sync() }
    }

    /// What is kept beside a log of what was cut off at a place, and isn't sealed.
    static func kept(
        at position: LogPosition, beside path: String, files: SteadyFiles
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
            try eachChunk(of: copy, 0..<size) { (bytes, _) throws(EventLogError) in
                bytes.withUnsafeBytes { hash.update($0) }
            }
            found.append(
                CutTail(
                    tail: LogTail(position: position, length: size), path: path,
                    sha256: hash.finish().hex))
        }
        return found
    }

    /// Seals what is kept, as far as the file system can: the log tells of it.
    static func seal(_ cuts: [CutTail], files: SteadyFiles) {
        for cut in cuts {
            (try? OwnedFile(at: cut.path, for: .reading, files: files))?.setReadOnly()
        }
    }

    /// What has the name of a file that keeps what was cut off.
    private enum Found {
        case free
        /// Bytes of which no log tells yet.
        case kept(OwnedFile)
        /// What a log tells of already, or what isn't this one's at all.
        case foreign
    }

    private static func file(
        at path: String, _ files: SteadyFiles
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

    /// Copies the tail to a new file, unless one beside the log holds the same bytes already.
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
                // Its name may not be on the disk yet.
                return try copy.doing(.sync) { () throws(SystemError) in try copy.syncFolder() }
            }
        }
        throw .alreadyExists(path: TornTail.path(beside: source.path, at: offset, 1))
    }

    private static func write(
        _ range: Range<Int64>, of source: OwnedFile, to path: String
    ) throws(EventLogError) {
        let copy = try OwnedFile.replacing(path + ".part", files: source.files)
        try eachChunk(of: source, range) { (bytes, _) throws(EventLogError) in
            try copy.doing(.write) { () throws(SystemError) in try copy.append(bytes) }
        }
        try copy.doing(.sync) { () throws(SystemError) in
            try copy.sync()
            try copy.files.renameFile(at: copy.path, to: path)
            try copy.syncFolder()
        }
    }

    private static func isSame(
        _ copy: OwnedFile, _ range: Range<Int64>, of source: OwnedFile
    ) throws(EventLogError) -> Bool {
        guard try copy.status().size == Int64(range.count) else { return false }
        var isSame = true
        try eachChunk(of: source, range) { (bytes, offset) throws(EventLogError) in
            if isSame { isSame = try copy.read(at: offset, count: bytes.count) == bytes }
        }
        return isSame
    }

    private static func eachChunk(
        of source: OwnedFile, _ range: Range<Int64>,
        _ body: (_ bytes: [UInt8], _ offset: Int64) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try source.read(
                at: offset, count: Int(min(Int64(chunk), range.upperBound - offset)))
            guard !bytes.isEmpty else {
                throw .shrank(path: source.path, read: range.upperBound, size: offset)
            }
            try body(bytes, offset - range.lowerBound)
            offset += Int64(bytes.count)
        }
    }
}
