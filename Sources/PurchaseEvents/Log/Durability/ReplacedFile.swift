/// A small file that is always replaced as a whole: after a crash, the file has its old bytes or
/// its new bytes, never a mix.
package struct ReplacedFile: Sendable {
    /// The path of the file; its next version is written beside it, with `.new` added.
    package let path: String
    private let files: RetryingFiles

    package init(at path: String) { self.init(at: path, operations: SystemFiles()) }

    package init(at path: String, operations: any FileOperations) {
        self.path = path
        files = RetryingFiles(operations: operations)
    }

    package func read() throws(EventLogError) -> [UInt8]? {
        do throws(EventLogError) {
            let file = try OwnedFile(at: path, for: .reading, files: files)
            return try file.read(at: 0, count: Int(clamping: try file.status().size))
        } catch .noSuchLog {
            return nil
        }
    }

    package func makeFolder() throws(EventLogError) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        try files.doing(.open, at: path, files.makeFolder(at: String(path[..<slash])))
    }

    /// Replaces the bytes; they are on the disk when the call returns.
    ///
    /// Costs two syncs. If the call throws, the file has its old bytes or the new bytes.
    package func replace(with bytes: [UInt8]) throws(EventLogError) {
        let next = try OwnedFile.replacing("\(path).new", files: files)
        try next.doing(.write, next.append(bytes))
        try put(next)
    }

    /// Replaces the bytes by those that a closure appends; otherwise like ``replace(with:)``.
    func replace(
        by body: (_ append: @escaping @Sendable ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let next = try OwnedFile.replacing("\(path).new", files: files)
        try body { bytes in try next.doing(.write, next.append(bytes)) }
        try put(next)
    }

    private func put(_ next: OwnedFile) throws(EventLogError) {
        try next.doing(.sync, next.sync())
        try next.rename(to: path, as: .write)
    }
}
