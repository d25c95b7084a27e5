import Foundation
import PurchaseEvents

/// The state of a file system in memory: the contents of its cache and of its disk.
package struct FileImage: Sendable {
    struct Node: Hashable, Sendable {
        var bytes: [UInt8] = []
        /// The bytes on the disk.
        var synced: [UInt8] = []
        /// The ranges that a failed sync lost, although the cache still shows them.
        var dropped: [Range<Int>] = []
        var kind = FileKind.regular
        var links = 1
        var isReadOnly = false
        var lockedBy: Int32?

        mutating func sync() {
            synced = bytes
            for range in dropped {
                let lost = range.clamped(to: 0..<bytes.count)
                for place in lost { synced[place] = 0 }
            }
        }

        mutating func drop() {
            if synced.count < bytes.count { dropped.append(synced.count..<bytes.count) }
        }

        /// Overwrites bytes; the cache treats them as new, so that the next sync writes them.
        mutating func overwrite(_ new: [UInt8], at offset: Int) {
            let end = offset + new.count
            bytes = bytes.prefix(offset) + new + bytes.dropFirst(end)
            dropped = dropped.flatMap { range in
                [
                    range.clamped(to: 0..<offset),
                    range.clamped(to: end..<max(end, range.upperBound)),
                ].filter { !$0.isEmpty }
            }
        }

        mutating func cut(to size: Int) {
            bytes.removeLast(max(0, bytes.count - size))
            dropped = dropped.compactMap { range in
                range.lowerBound < size ? range.lowerBound..<min(size, range.upperBound) : nil
            }
        }
    }

    var nodes: [Int: Node] = [:]
    var names: [String: Int] = [:]
    var syncedNames: [String: Int] = [:]
    /// The changes of names since the last sync, each one atomic.
    var renamings: [[(name: String, node: Int?)]] = []
    var open: [Int32: Int] = [:]
    var next: Int32 = 3
    var calls: [FileCall: Int] = [:]
    var trace: [FileCall] = []
    var plan: MemoryFiles.Plan = { _, _ in nil }
    var watcher: (@Sendable (FileCall, FileImage) -> Void)?
    /// The bytes that can still be written before the machine stops, or `nil` if it won't stop.
    var left: Int?
    var isStopped = false

    package init() {}

    /// Resets the call counts, the trace, the plan and the watcher.
    package mutating func forgetCalls() {
        calls = [:]
        trace = []
        plan = { _, _ in nil }
        watcher = nil
    }

    /// The state that later operations can observe or lose; equal contents lead to equal runs.
    package struct Contents: Hashable, Sendable {
        private let nodes: [Int: Node]
        private let names: [String: Int]
        private let syncedNames: [String: Int]
        private let renamings: [[String]]
        private let madeFolders: [String]

        fileprivate init(_ image: FileImage) {
            nodes = image.nodes
            names = image.names
            syncedNames = image.syncedNames
            renamings = image.renamings.map { changes in
                changes.map { "\($0.name) \($0.node ?? -1)" }
            }
            madeFolders = image.madeFolders
        }
    }

    /// The contents; meaningful while no file is open.
    package var contents: Contents { Contents(self) }

    /// The folder that contains a path.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    mutating func add(_ kind: FileKind = .regular) -> Int {
        var node = Node()
        node.kind = kind
        nodes[nodes.count] = node
        return nodes.count - 1
    }

    mutating func put(_ bytes: [UInt8]?, at path: String) {
        let number = names[path] ?? nodes.count
        names[path] = bytes == nil ? nil : number
        syncedNames[path] = names[path]
        guard let bytes else {
            nodes[number]?.links = 0
            return
        }
        nodes[number, default: Node()].bytes = bytes
        nodes[number]?.synced = bytes
    }

    mutating func open(
        _ path: String, _ access: FileAccess
    ) throws(SystemError) -> OpenFile {
        if let number = names[path], let node = nodes[number] {
            guard access != .creating else { throw SystemError(code: EEXIST) }
            guard node.kind != .link else { throw SystemError(code: ELOOP) }
            if access == .appending || access == .rewriting {
                guard node.kind != .folder else { throw SystemError(code: EISDIR) }
                guard !node.isReadOnly else { throw SystemError(code: EACCES) }
            }
            open[next] = number
        } else {
            guard access == .creating || access == .locking else {
                throw SystemError(code: ENOENT)
            }
            let number = add()
            rename([(path, number)])
            open[next] = number
        }
        next += 1
        return OpenFile(number: next - 1)
    }

    mutating func rename(_ changes: [(name: String, node: Int?)]) {
        for change in changes { names[change.name] = change.node }
        renamings.append(changes)
    }

    mutating func syncNames(in folder: String) {
        let isHere: ([(name: String, node: Int?)]) -> Bool = { changes in
            changes.allSatisfy { FileImage.folder(of: $0.name) == folder }
        }
        for changes in renamings where isHere(changes) {
            for change in changes { syncedNames[change.name] = change.node }
        }
        renamings.removeAll(where: isHere)
    }

    /// The number of bytes that can be written of `count` bytes.
    mutating func room(for count: Int, _ limit: Int) -> Int {
        let taken = min(count, limit, left ?? .max)
        if let left {
            isStopped = left < count
            self.left = left - taken
        }
        return taken
    }

    func node(_ file: OpenFile) throws(SystemError) -> (number: Int, node: Node) {
        guard let number = open[file.number], let node = nodes[number] else {
            throw SystemError(code: EBADF)
        }
        return (number, node)
    }

    /// Closes all files; after a power loss, only what is on the disk remains.
    mutating func restart(losing: Bool) {
        open = [:]
        left = nil
        isStopped = false
        if losing {
            names = syncedNames
            renamings = []
        }
        for number in nodes.keys {
            nodes[number]?.lockedBy = nil
            if losing, let synced = nodes[number]?.synced {
                nodes[number]?.bytes = synced
                nodes[number]?.dropped = []
            }
        }
        if losing { dropOrphans() }
    }

    /// Removes the names in folders that don't exist any more.
    mutating func dropOrphans() {
        let folders = Set(nodes.filter { $0.value.kind == .folder }.map(\.key))
        guard !folders.isEmpty else { return }
        let isKnown = Set(madeFolders)
        for name in names.keys {
            let folder = FileImage.folder(of: name)
            if isKnown.contains(folder), names[folder] == nil { names[name] = nil }
        }
        syncedNames = names
    }

    /// All folders ever made here.
    var madeFolders: [String] = []
}
