@testable import PurchaseEvents

/// Files in memory of a machine that may stop in the midst of an append.
final class CrashingFiles: FileOperations {
    private struct File: Sendable {
        var bytes: [UInt8] = []
        var synced: [UInt8] = []
        var lockedBy: Int32?
    }

    private struct State: Sendable {
        var files: [String: File] = [:]
        var open: [Int32: String] = [:]
        var next: Int32 = 3
        /// How many more bytes are written before the machine stops; `nil`: it doesn't.
        var left: Int?
        var isStopped = false
        var failsToSync = false
    }

    /// How a stopped machine starts again.
    enum Restart: Hashable, CaseIterable {
        /// The process died; what it wrote is there.
        case ofProcess
        /// The power went; what was not synced is gone.
        case ofMachine
    }

    let processID: Int32 = 1
    private let state = Protected(State())
    /// Whether it says that it has synced what it hasn't.
    private let liesAboutSyncing: Bool

    init(liesAboutSyncing: Bool = false) { self.liesAboutSyncing = liesAboutSyncing }

    // MARK: What a test does

    /// Stops everything once so many bytes more are written.
    func stop(afterBytes count: Int) { state.withLock { $0.left = count } }

    /// Whether syncing fails.
    func failToSync(_ fails: Bool) { state.withLock { $0.failsToSync = fails } }

    /// Starts again: nothing is open, and no lock is held.
    func restart(_ restart: Restart) {
        state.withLock { state in
            state.open = [:]
            state.left = nil
            state.isStopped = false
            state.failsToSync = false
            for path in state.files.keys {
                state.files[path]?.lockedBy = nil
                if restart == .ofMachine, let synced = state.files[path]?.synced {
                    state.files[path]?.bytes = synced
                }
            }
        }
    }

    /// The bytes of a file.
    func bytes(_ path: String) -> [UInt8] { state.withLock { $0.files[path]?.bytes ?? [] } }

    // MARK: FileOperations

    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile {
        try call { (state) throws(SystemError) in
            if state.files[path] == nil {
                guard access == .creating || access == .locking else {
                    throw SystemError(code: CrashingFiles.noSuchFile)
                }
                state.files[path] = File()
            } else if access == .creating {
                throw SystemError(code: CrashingFiles.fileExists)
            }
            state.open[state.next] = path
            state.next += 1
            return OpenFile(number: state.next - 1)
        }
    }

    func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        let bytes = try self.bytes(of: file)
        return FileStatus(kind: .regular, size: Int64(bytes.count), links: 1)
    }

    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let bytes = try self.bytes(of: file).dropFirst(Int(offset)).prefix(buffer.count)
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try call { (state) throws(SystemError) in
            let path = try CrashingFiles.path(of: file, state)
            let taken = min(bytes.count, state.left ?? .max)
            state.files[path]?.bytes += bytes.prefix(taken)
            if let left = state.left {
                state.left = left - taken
                state.isStopped = left < bytes.count
            }
            guard taken > 0 || bytes.isEmpty else { throw CrashingFiles.failed }
            return taken
        }
    }

    func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        try change(file) { $0.bytes = Array($0.bytes.prefix(Int(size))) }
    }

    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        if state.withLock({ $0.failsToSync }) { throw CrashingFiles.failed }
        try change(file) { if !liesAboutSyncing { $0.synced = $0.bytes } }
        return .throughCache
    }

    func syncFolder(at path: String) throws(SystemError) {}

    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        try call { (state) throws(SystemError) in
            let path = try CrashingFiles.path(of: file, state)
            guard state.files[path]?.lockedBy ?? file.number == file.number else { return false }
            state.files[path]?.lockedBy = file.number
            return true
        }
    }

    func closeFile(_ file: OpenFile) {
        state.withLock { state in
            guard let path = state.open.removeValue(forKey: file.number) else { return }
            if state.files[path]?.lockedBy == file.number { state.files[path]?.lockedBy = nil }
        }
    }

    private static let failed = SystemError(code: 5)
    private static let noSuchFile: Int32 = 2, fileExists: Int32 = 17

    private func bytes(of file: OpenFile) throws(SystemError) -> [UInt8] {
        try call { (state) throws(SystemError) in
            state.files[try CrashingFiles.path(of: file, state)]?.bytes ?? []
        }
    }

    private func change(
        _ file: OpenFile, _ body: (inout File) -> Void
    ) throws(SystemError) {
        try call { (state) throws(SystemError) in
            let path = try CrashingFiles.path(of: file, state)
            body(&state.files[path, default: File()])
        }
    }

    private static func path(of file: OpenFile, _ state: State) throws(SystemError) -> String {
        guard let path = state.open[file.number] else { throw failed }
        return path
    }

    /// Nothing is done any more on a machine that has stopped.
    private func call<Answer>(
        _ body: (inout State) throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        try state.withLock { (state) throws(SystemError) in
            if state.isStopped { throw CrashingFiles.failed }
            return try body(&state)
        }
    }
}
