import Foundation
import PurchaseEvents
import TestSupport

/// A mistake that a writer of logs could make; the harness must detect each one.
enum SeededBug: String, CaseIterable, Sendable {
    case noSync, acknowledgedBeforeSync, syncErrorIgnored, syncRetried
    case noFolderSync, shortWriteIgnored, cutTooLate
    case tailNotCut, cutTailNotKept, keptTailNotSynced
    case markNotSynced, markRunsAhead, openingDoesNotSync, openingDoesNotWriteAgain
    case lockOnTheWrongFile, lockNotExclusive

    /// The part of the harness that detects a mistake.
    enum Place { case anywhere, failures, recovery, lock }

    /// The part that must detect the mistake; others may detect it too.
    var place: Place {
        switch self {
        case .noSync, .acknowledgedBeforeSync, .noFolderSync, .cutTooLate, .tailNotCut,
            .markNotSynced, .markRunsAhead, .openingDoesNotSync:
            .anywhere
        case .syncErrorIgnored, .syncRetried, .shortWriteIgnored, .openingDoesNotWriteAgain:
            .failures
        case .cutTailNotKept, .keptTailNotSynced: .recovery
        case .lockOnTheWrongFile, .lockNotExclusive: .lock
        }
    }
}

/// Files that behave as they would with a ``SeededBug``.
final class BuggyFiles: FileOperations {
    private struct State: Sendable {
        var paths: [OpenFile: String] = [:]
        var late: OpenFile?
        var openings = 0
        var syncs = 0
    }

    private let files: MemoryFiles
    private let bug: SeededBug
    private let state = Protected(State())

    init(_ files: MemoryFiles, _ bug: SeededBug) {
        self.files = files
        self.bug = bug
    }

    var processID: Int32 { files.processID }

    private func path(of file: OpenFile) -> String { state.withLock { $0.paths[file] ?? "" } }

    func openFile(at path: String, for access: FileAccess) throws(SystemError) -> OpenFile {
        var opened = path
        if bug == .lockOnTheWrongFile, access == .locking {
            opened += state.withLock { state in
                state.openings += 1
                return ".\(state.openings)"
            }
        }
        let file = try files.openFile(at: opened, for: access)
        state.withLock { $0.paths[file] = path }
        return file
    }

    func status(of file: OpenFile) throws(SystemError) -> FileStatus {
        try files.status(of: file)
    }

    func readBytes(
        of file: OpenFile, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try files.readBytes(of: file, at: offset, into: buffer)
    }

    func appendBytes(
        _ bytes: UnsafeRawBufferPointer, to file: OpenFile
    ) throws(SystemError) -> Int {
        if let late = state.withLock({ $0.late }) { _ = try files.syncFile(late) }
        if bug == .cutTailNotKept, path(of: file).hasSuffix(".part") { return bytes.count }
        let count = try files.appendBytes(bytes, to: file)
        return bug == .shortWriteIgnored ? bytes.count : count
    }

    func overwriteBytes(
        _ bytes: UnsafeRawBufferPointer, of file: OpenFile, at offset: Int64
    ) throws(SystemError) -> Int {
        let isLock = path(of: file).hasSuffix(".lock")
        if bug == .openingDoesNotWriteAgain, !isLock { return bytes.count }
        guard bug == .markRunsAhead, isLock else {
            return try files.overwriteBytes(bytes, of: file, at: offset)
        }
        // Mark the end of the batch as durable.
        var text = String(decoding: bytes, as: UTF8.self)
        let words = text.split(whereSeparator: { " \n".contains($0) })
        if words.count == 6 {
            text = text.replacing("durable \(words[3])", with: "durable \(words[5])")
        }
        var changed = Array(text.utf8)
        return try changed.withUnsafeMutableBytes { buffer in
            Result { () throws(SystemError) in
                try files.overwriteBytes(UnsafeRawBufferPointer(buffer), of: file, at: offset)
            }
        }.get()
    }

    func setSize(of file: OpenFile, to size: Int64) throws(SystemError) {
        let isLog = !path(of: file).hasSuffix(".part") && !path(of: file).hasSuffix(".new")
        switch bug {
        case .tailNotCut where isLog: return
        case .cutTooLate where isLog: try files.setSize(of: file, to: size + 1)
        default: try files.setSize(of: file, to: size)
        }
    }

    func syncFile(_ file: OpenFile) throws(SystemError) -> SyncStrength {
        let path = path(of: file)
        let number = state.withLock { state in
            state.syncs += 1
            return state.syncs
        }
        switch bug {
        case .noSync: return .throughCache
        case .acknowledgedBeforeSync:
            state.withLock { $0.late = file }
            return .throughCache
        case .syncErrorIgnored:
            return (try? files.syncFile(file)) ?? .throughCache
        case .syncRetried:
            do throws(SystemError) {
                return try files.syncFile(file)
            } catch {
                return try files.syncFile(file)
            }
        case .keptTailNotSynced where path.hasSuffix(".part"): return .throughCache
        case .markNotSynced where path.hasSuffix(".lock"): return .throughCache
        case .openingDoesNotSync where number == 1: return .throughCache
        default: return try files.syncFile(file)
        }
    }

    func syncFolder(at path: String) throws(SystemError) {
        if bug != .noFolderSync { try files.syncFolder(at: path) }
    }

    func makeFolder(at path: String) throws(SystemError) { try files.makeFolder(at: path) }

    func names(inFolder path: String) throws(SystemError) -> [String] {
        try files.names(inFolder: path)
    }

    func realPath(ofFolder path: String) throws(SystemError) -> String {
        try files.realPath(ofFolder: path)
    }

    func renameFile(at path: String, to newPath: String) throws(SystemError) {
        try files.renameFile(at: path, to: newPath)
    }

    func setReadOnly(_ file: OpenFile) throws(SystemError) { try files.setReadOnly(file) }

    func tryLock(_ file: OpenFile) throws(SystemError) -> Bool {
        let isOurs = try files.tryLock(file)
        return isOurs || bug == .lockNotExclusive
    }

    func closeFile(_ file: OpenFile) { files.closeFile(file) }
}
