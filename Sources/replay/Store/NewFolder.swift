import PurchaseEvents

/// A folder that appears as a whole: the files are written into a folder beside it, which gets its
/// name at the end.
final class NewFolder {
    private let host: any Host
    private let path: String
    /// The folder beside it.
    private let draft: String
    private var folders: Set<String> = []
    private var isOver = false

    /// Begins a folder.
    ///
    /// Throws if the path exists and isn't an empty folder, or if no folder can be made beside it.
    init(_ path: String, _ host: any Host) throws(ToolError) {
        self.host = host
        self.path = path
        // Nobody can guess the name, and so put a folder there first.
        draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        switch NewFolder.content(of: path, host) {
        case .nothing, .noEntries: break
        case .entries:
            throw .ioFailed(
                "`\(EscapedText.escape(path))` isn't empty: name a new folder, or an empty one")
        case .noFolder:
            throw .ioFailed(
                "`\(EscapedText.escape(path))` is a file: name a new folder, or an empty one")
        }
        try attempt(draft) { () throws(SystemProblem) in try host.createFolder(draft) }
    }

    private enum Content { case nothing, noEntries, entries, noFolder }

    private static func content(of path: String, _ host: any Host) -> Content {
        guard let kind = try? host.kind(of: path) else { return .nothing }
        guard kind == .folder else { return .noFolder }
        return (try? host.names(in: path).isEmpty) == true ? .noEntries : .entries
    }

    /// Begins a file in the folder, or in a folder in it, which is made if needed.
    func file(_ name: String) throws(ToolError) -> Output {
        if let slash = name.firstIndex(of: "/"), folders.insert(String(name[..<slash])).inserted {
            try attempt(name) { () throws(SystemProblem) in
                try host.createFolder("\(draft)/\(name[..<slash])")
            }
        }
        var sink: (any ByteSink)?
        try attempt(name) { () throws(SystemProblem) in sink = try host.create("\(draft)/\(name)") }
        return Output(named: shown(name)) { [sink] bytes throws(SystemProblem) in
            try sink?.write(bytes)
        }
    }

    func add(_ name: String, _ text: String) throws(ToolError) {
        let file = try file(name)
        try file.write(text.utf8)
        try file.flush()
    }

    /// Gives the folder its name.
    func finish() throws(ToolError) {
        try attempt(path) { () throws(SystemProblem) in
            try host.renameFolder(draft, to: path)
        }
        isOver = true
    }

    /// Removes what was written, unless the folder is finished.
    func discard() {
        guard !isOver else { return }
        isOver = true
        host.removeFolder(draft)
    }

    private func attempt(
        _ name: String, _ body: () throws(SystemProblem) -> Void
    ) throws(ToolError) {
        do throws(SystemProblem) {
            try body()
        } catch {
            throw .ioFailed("cannot write \(shown(name)): \(error.words)")
        }
    }

    /// A file or the folder itself, as messages name it.
    private func shown(_ name: String) -> String {
        let whole = name == draft || name == path ? path : "\(path)/\(name)"
        return "`\(EscapedText.escape(whole))`"
    }
}
