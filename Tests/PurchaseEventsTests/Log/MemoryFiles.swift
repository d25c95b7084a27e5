import Foundation

@testable import PurchaseEvents

/// What ``MemoryFiles`` is asked to do, for a test that decides which call fails.
enum FileCall: Hashable, CaseIterable {
    case open, status, read, append, setSize, syncFile, syncFolder, lock
}

/// How a call of ``MemoryFiles`` goes wrong.
enum Fault {
    /// It does nothing and reports this error.
    case fail(Int32)
    /// It reads or writes at most so many bytes.
    case short(Int)
}

/// A file system in memory that fails as it is told, and forgets in a crash what wasn't synced.
final class MemoryFiles: FileOperations {
    private struct Node {
        var bytes: [UInt8] = []
        var synced: [UInt8] = []
        var kind = FileKind.regular
        var links = 1
        var lockedBy: Int32?
    }

    private struct State: Sendable {
        var nodes: [Int: Node] = [:]
        var names: [String: Int] = [:]
        var syncedNames: [String: Int] = [:]
        var open: [Int32: Int] = [:]
        var next: Int32 = 3
        var calls: [FileCall: Int] = [:]
        var trace: [FileCall] = []
        var plan: @Sendable (FileCall, Int) -> Fault? = { _, _ in nil }
    }

    let processID: Int32 = 4_711
    private let state = Protected(State())

    // MARK: What a test sees and does

    /// Decides of each call, by its kind and by how many of that kind came before, how it fails;
    /// counting begins anew.
    func plan(_ plan: @escaping @Sendable (FileCall, Int) -> Fault?) {
        state.withLock {
            $0.calls = [:]
            $0.trace = []
            $0.plan = plan
        }
    }

    /// Lets everything succeed from here on.
    func heal() { plan { _, _ in nil } }

    /// The calls since the plan was made.
    var trace: [FileCall] { state.withLock { $0.trace } }

    /// How many files are open.
    var openCount: Int { state.withLock { $0.open.count } }

    /// The names of all files.
    var paths: [String] { state.withLock { $0.names.keys.sorted() } }

    /// The bytes of a file.
    subscript(path: String) -> [UInt8]? {
        get { state.withLock { state in state.names[path].flatMap { state.nodes[$0]?.bytes } } }
        set {
            state.withLock { state in
                let number = state.names[path] ?? state.nodes.count
                state.names[path] = newValue == nil ? nil : number
                state.syncedNames[path] = state.names[path]
                if let newValue {
                    state.nodes[number, default: Node()].bytes = newValue
                    state.nodes[number]?.synced = newValue
                } else {
                    state.nodes[number]?.links = 0
                }
            }
        }
    }

    /// The text of a file.
    func text(_ path: String) -> String? { self[path].map { String(decoding: $0, as: UTF8.self) } }

    /// Makes a path something else than a regular file.
    func make(_ path: String, _ kind: FileKind) {
        self[path] = []
        state.withLock { state in
            if let number = state.names[path] { state.nodes[number]?.kind = kind }
        }
    }

    /// The power goes: what wasn't synced is lost, open files and locks are gone.
    func losePower() {
        state.withLock { state in
            state.names = state.syncedNames
            state.open = [:]
            for number in state.nodes.keys {
                guard let synced = state.nodes[number]?.synced else { continue }
                state.nodes[number]?.bytes = synced
                state.nodes[number]?.lockedBy = nil
            }
        }
    }

    // MARK: FileOperations

    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile {
        try call(.open) { (state, _) throws(SystemError) in
            if let number = state.names[path] {
                guard access != .creating else { throw SystemError(code: EEXIST) }
                guard state.nodes[number]?.kind != .link else { throw SystemError(code: ELOOP) }
                state.open[state.next] = number
            } else {
                guard access == .creating || access == .locking else {
                    throw SystemError(code: ENOENT)
                }
                let number = state.nodes.count
                state.nodes[number] = Node()
                state.names[path] = number
                state.open[state.next] = number
            }
            state.next += 1
            return OpenFile(number: state.next - 1)
        }
    }

    func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        try call(.status) { (state, _) throws(SystemError) in
            let node = try MemoryFiles.node(file, state).node
            return FileStatus(kind: node.kind, size: Int64(node.bytes.count), links: node.links)
        }
    }

    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        let bytes = try call(.read) { (state, limit) throws(SystemError) in
            let bytes = try MemoryFiles.node(file, state).node.bytes
            return Array(bytes.dropFirst(Int(offset)).prefix(min(limit, buffer.count)))
        }
        buffer.copyBytes(from: bytes)
        return bytes.count
    }

    func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try call(.append) { (state, limit) throws(SystemError) in
            let taken = bytes.prefix(limit)
            state.nodes[try MemoryFiles.node(file, state).number]?.bytes += taken
            return taken.count
        }
    }

    func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        try call(.setSize) { (state, _) throws(SystemError) in
            let (number, node) = try MemoryFiles.node(file, state)
            state.nodes[number]?.bytes = Array(node.bytes.prefix(Int(size)))
        }
    }

    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        try call(.syncFile) { (state, _) throws(SystemError) in
            let (number, node) = try MemoryFiles.node(file, state)
            state.nodes[number]?.synced = node.bytes
            return .throughCache
        }
    }

    func syncFolder(at path: String) throws(SystemError) {
        try call(.syncFolder) { (state, _) in state.syncedNames = state.names }
    }

    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        try call(.lock) { (state, _) throws(SystemError) in
            let (number, node) = try MemoryFiles.node(file, state)
            guard node.lockedBy == nil || node.lockedBy == file.number else { return false }
            state.nodes[number]?.lockedBy = file.number
            return true
        }
    }

    func closeFile(_ file: OpenFile) {
        state.withLock { state in
            guard let number = state.open.removeValue(forKey: file.number) else { return }
            if state.nodes[number]?.lockedBy == file.number { state.nodes[number]?.lockedBy = nil }
        }
    }

    private func call<Answer>(
        _ call: FileCall, _ body: (inout State, _ limit: Int) throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        try state.withLock { (state) throws(SystemError) in
            let number = state.calls[call, default: 0]
            state.calls[call] = number + 1
            state.trace.append(call)
            switch state.plan(call, number) {
            case .fail(let code): throw SystemError(code: code)
            case .short(let limit): return try body(&state, limit)
            case nil: return try body(&state, .max)
            }
        }
    }

    private static func node(
        _ file: OpenFile, _ state: State
    ) throws(SystemError) -> (number: Int, node: Node) {
        guard let number = state.open[file.number], let node = state.nodes[number] else {
            throw SystemError(code: EBADF)
        }
        return (number, node)
    }
}
