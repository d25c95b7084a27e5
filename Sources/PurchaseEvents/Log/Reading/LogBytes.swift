/// The bytes of a log as one sequence, whether the log is a file or a folder of segments.
///
/// Each reader needs its own value and may use it on one thread at a time. The value keeps the most
/// recently read segment open, and looks for new segments at the end of the last one.
final class LogBytes: @unchecked Sendable {
    let path: String
    let files: RetryingFiles
    /// The offset where each segment starts; for a log in one file, 0.
    private(set) var starts: [Int64]
    let isFolder: Bool
    private var open: (index: Int, file: OwnedFile)?

    init(at path: String, operations: any FileOperations) throws(EventLogError) {
        let files = RetryingFiles(operations: operations)
        self.path = path
        self.files = files
        do throws(EventLogError) {
            open = (0, try OwnedFile(at: path, for: .reading, files: files))
            starts = [0]
            isFolder = false
        } catch .notARegularFile(_, seen: .folder) {
            if path.hasSuffix("/") { try LogBytes.refuseLink(at: path, files) }
            starts = try LogBytes.starts(in: path, files)
            isFolder = true
            guard !starts.isEmpty else { throw .notARegularFile(path: path, seen: .folder) }
        }
    }

    static func starts(in folder: String, _ files: RetryingFiles) throws(EventLogError) -> [Int64] {
        let names = try files.doing(
            .read, at: folder, files.retrying(files.operations.names(inFolder: folder)))
        return SegmentName.all(among: names).map(\.start)
    }

    /// Refuses a link to a folder, which a trailing slash would follow.
    static func refuseLink(at path: String, _ files: RetryingFiles) throws(EventLogError) {
        do throws(EventLogError) {
            _ = try OwnedFile(at: trimmed(path), for: .reading, files: files)
        } catch .notARegularFile(_, seen: .link) {
            throw .notARegularFile(path: path, seen: .link)
        } catch {
            // Any other problem shows when the path is used.
        }
    }

    /// The path of the log, ending in its own name even if `path` ends in `.` or `..`.
    static func resolved(_ path: String, _ files: RetryingFiles) throws(EventLogError) -> String {
        let path = trimmed(path)
        guard let name = path.split(separator: "/").last, name == "." || name == ".." else {
            return path
        }
        return try files.doing(
            .open, at: path, files.retrying(files.operations.realPath(ofFolder: path)))
    }

    static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.utf8.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        return String(path)
    }

    static func path(ofSegmentAt start: Int64, in folder: String) -> String {
        "\(trimmed(folder))/\(SegmentName(start: start).text)"
    }

    func path(ofSegment index: Int) -> String {
        isFolder ? LogBytes.path(ofSegmentAt: starts[index], in: path) : path
    }

    func size() throws(EventLogError) -> Int64 {
        try refresh()
        let last = starts.count - 1
        var status = try file(last).status()
        if status.links == 0 {
            open = nil
            status = try file(last).status()
        }
        return starts[last] + status.size
    }

    /// Reads once at an offset and returns the number of bytes; only 0 means the end of the log.
    func read(
        at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(EventLogError) -> Int {
        while true {
            guard let index = index(ofSegmentAt: offset) else {
                // The bytes before the first segment are gone.
                throw .shrank(path: path, read: offset, size: 0)
            }
            let isLast = index == starts.count - 1
            let room = isLast ? Int64.max : starts[index + 1] - offset
            let part = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(buffer.count, Int(clamping: room))])
            let file = try file(index)
            let position = offset - starts[index]
            let count = try file.doing(.read, files.read(file.file, at: position, into: part))
            if count > 0 { return count }
            if try file.status().links == 0 {
                // The open file lost its name, so open the path again.
                open = nil
                continue
            }
            guard isLast else {
                throw .shrank(
                    path: file.path, read: starts[index + 1] - starts[index], size: position)
            }
            guard try refresh() else { return 0 }
        }
    }

    /// Reads a range of the log; the result is shorter only at the end of the log.
    func read(at offset: Int64, count: Int) throws(EventLogError) -> [UInt8] {
        try [UInt8](filling: max(0, count)) { (filled, buffer) throws(EventLogError) in
            try read(at: offset + Int64(filled), into: buffer)
        }
    }

    /// Closes the open file, which a writer may have replaced, and looks for new segments.
    func reload() throws(EventLogError) {
        open = nil
        try refresh()
    }

    /// Looks for new segments; returns `false` if there are none.
    @discardableResult
    private func refresh() throws(EventLogError) -> Bool {
        guard isFolder else { return false }
        let found = try LogBytes.starts(in: path, files)
        guard found != starts else { return false }
        guard !found.isEmpty else { throw .noSuchLog(path: path) }
        starts = found
        open = nil
        return true
    }

    private func index(ofSegmentAt offset: Int64) -> Int? {
        let end = starts.lowerBound { $0 > offset }
        return end == 0 ? nil : end - 1
    }

    private func file(_ index: Int) throws(EventLogError) -> OwnedFile {
        if let open, open.index == index { return open.file }
        let file = try OwnedFile(at: path(ofSegment: index), for: .reading, files: files)
        open = (index, file)
        return file
    }
}
