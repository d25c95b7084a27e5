import Foundation
import PurchaseEvents

/// A call of ``MemoryFiles``, for tests that decide which call fails.
package enum FileCall: Hashable, CaseIterable, Sendable {
    case open, status, read, append, overwrite, setSize, syncFile, makeFolder, names, rename
    case setReadOnly, syncFolder, lock

    /// Whether the call changes anything, so that a crash after it differs from one before it.
    package var changes: Bool { ![.open, .status, .read, .names, .lock].contains(self) }
}

/// A fault of a call of ``MemoryFiles``.
package enum FileFault: Sendable {
    /// The call does nothing and throws this error; a failed sync also loses its data.
    case fail(Int32)
    /// The call reads or writes at most this many bytes.
    case short(Int)
}

/// A file system in memory that fails as planned, and loses unsynced data in a crash.
package final class MemoryFiles: FileOperations {
    package typealias Plan = @Sendable (FileCall, Int) -> FileFault?

    package let processID: Int32 = 4_711
    private let state: Protected<FileImage>
    /// Whether a sync succeeds without syncing.
    private let liesAboutSyncing: Bool

    package init(_ image: FileImage = FileImage(), liesAboutSyncing: Bool = false) {
        state = Protected(image)
        self.liesAboutSyncing = liesAboutSyncing
    }

    // MARK: State

    /// The current state.
    package var image: FileImage { state.withLock { $0 } }

    /// The calls since the last plan was set.
    package var trace: [FileCall] { image.trace }

    /// The number of open files.
    package var openCount: Int { image.open.count }

    /// The names of all files and folders.
    package var paths: [String] { image.names.keys.sorted() }

    /// The bytes of a file.
    package subscript(path: String) -> [UInt8]? {
        get { state.withLock { state in state.names[path].flatMap { state.nodes[$0]?.bytes } } }
        set { state.withLock { $0.put(newValue, at: path) } }
    }

    /// The text of a file.
    package func text(_ path: String) -> String? {
        self[path].map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: Actions

    /// Sets the plan that decides, by the kind of a call and the number of earlier calls of that
    /// kind, how the call fails. Resets the counts.
    package func plan(_ plan: @escaping Plan) {
        state.withLock {
            $0.calls = [:]
            $0.trace = []
            $0.plan = plan
        }
    }

    /// Makes every later call succeed.
    package func heal() { plan { _, _ in nil } }

    /// Sets a function that receives the state after every call.
    package func watch(_ watcher: (@Sendable (FileCall, FileImage) -> Void)?) {
        state.withLock { $0.watcher = watcher }
    }

    /// Makes a path something other than a regular file.
    package func make(_ path: String, _ kind: FileKind) {
        self[path] = []
        state.withLock { state in
            if let number = state.names[path] { state.nodes[number]?.kind = kind }
        }
    }

    /// Simulates a power loss: unsynced data, open files and locks are lost.
    package func losePower() { state.withLock { $0.restart(losing: true) } }

    /// Simulates the death of the process: open files and locks are lost.
    package func loseProcess() { state.withLock { $0.restart(losing: false) } }

    /// Makes every call fail once this many more bytes are written, until the power or the process
    /// is lost.
    package func stop(afterBytes count: Int) { state.withLock { $0.left = count } }

    // MARK: FileOperations

    package func openFile(
        at path: String, for access: FileAccess
    ) throws(SystemError) -> OpenFile {
        try call(.open) { (state, _) throws(SystemError) in try state.open(path, access) }
    }

    package func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        try call(.status) { (state, _) throws(SystemError) in
            let node = try state.node(file).node
            return FileStatus(
                kind: node.kind, size: Int64(node.bytes.count), links: node.links,
                isReadOnly: node.isReadOnly)
        }
    }

    package func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let bytes = try call(.read) { (state, limit) throws(SystemError) in
            let bytes = try state.node(file).node.bytes
            return Array(bytes.dropFirst(Int(offset)).prefix(min(limit, buffer.count)))
        }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    package func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try call(.append) { (state, limit) throws(SystemError) in
            let number = try state.node(file).number
            let taken = bytes.prefix(state.room(for: bytes.count, limit))
            state.nodes[number]?.bytes += taken
            guard !taken.isEmpty || bytes.isEmpty else { throw SystemError(code: EIO) }
            return taken.count
        }
    }

    package func overwriteBytes(
        _ bytes: UnsafeRawBufferPointer, of file: OpenFile, at offset: Int64
    ) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try call(.overwrite) { (state, _) throws(SystemError) in
            state.nodes[try state.node(file).number]?.overwrite(bytes, at: Int(offset))
            return bytes.count
        }
    }

    package func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        try call(.setSize) { (state, _) throws(SystemError) in
            state.nodes[try state.node(file).number]?.cut(to: Int(size))
        }
    }

    package func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        do throws(SystemError) {
            try call(.syncFile) { (state, _) throws(SystemError) in
                let number = try state.node(file).number
                if !liesAboutSyncing { state.nodes[number]?.sync() }
            }
        } catch {
            // Like a real disk: the error is reported once, and afterwards the pages count as
            // clean.
            state.withLock { state in
                guard error.code != EINTR, let number = state.open[file.number] else { return }
                state.nodes[number]?.drop()
            }
            throw error
        }
        return .throughCache
    }

    package func makeFolder(at path: String) throws(SystemError) {
        try call(.makeFolder) { (state, _) throws(SystemError) in
            guard state.names[path] == nil else { throw SystemError(code: EEXIST) }
            state.rename([(path, state.add(.folder))])
            state.madeFolders.append(path)
        }
    }

    package func names(inFolder path: String) throws(SystemError) -> [String] {
        try call(.names) { (state, _) in
            state.names.keys.filter { FileImage.folder(of: $0) == path }.map { name in
                String(name.dropFirst(path.count + 1))
            }
        }
    }

    /// There are no links and no `.`, so each path is a real path.
    package func realPath(ofFolder path: String) throws(SystemError) -> String { path }

    package func renameFile(at path: String, to newPath: String) throws(SystemError) {
        try call(.rename) { (state, _) throws(SystemError) in
            guard let number = state.names[path] else { throw SystemError(code: ENOENT) }
            if let old = state.names[newPath] { state.nodes[old]?.links = 0 }
            state.rename([(path, nil), (newPath, number)])
        }
    }

    package func setReadOnly(_ file: OpenFile) throws(SystemError) {
        try call(.setReadOnly) { (state, _) throws(SystemError) in
            state.nodes[try state.node(file).number]?.isReadOnly = true
        }
    }

    package func syncFolder(at path: String) throws(SystemError) {
        try call(.syncFolder) { (state, _) in state.syncNames(in: path) }
    }

    package func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        try call(.lock) { (state, _) throws(SystemError) in
            let (number, node) = try state.node(file)
            guard node.lockedBy == nil || node.lockedBy == file.number else { return false }
            state.nodes[number]?.lockedBy = file.number
            return true
        }
    }

    package func closeFile(_ file: OpenFile) {
        state.withLock { state in
            guard let number = state.open.removeValue(forKey: file.number) else { return }
            if state.nodes[number]?.lockedBy == file.number { state.nodes[number]?.lockedBy = nil }
        }
    }

    private func call<Answer>(
        _ call: FileCall, _ body: (inout FileImage, _ limit: Int) throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        try state.withLock { (state) throws(SystemError) in
            // A stopped machine does nothing.
            if state.isStopped { throw SystemError(code: EIO) }
            let number = state.calls[call, default: 0]
            state.calls[call] = number + 1
            state.trace.append(call)
            defer { state.watcher?(call, state) }
            switch state.plan(call, number) {
            case .fail(let code): throw SystemError(code: code)
            case .short(let limit): return try body(&state, limit)
            case nil: return try body(&state, .max)
            }
        }
    }
}
