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

    /// Throws if the path exists and isn't an empty folder, or if no folder can be made beside it.
    init(_ path: String, _ host: any Host) throws(ToolError) {
        (self.host, self.path) = (host, path)
        draft = DraftName.random(beside: path)
        if let kind = try? host.kind(of: path) {
            guard kind == .folder, (try? host.names(in: path).isEmpty) == true else {
                let problem = kind == .folder ? "isn't empty" : "is a file"
                throw .ioFailed("`\(path.escaped)` \(problem): name a new folder, or an empty one")
            }
        }
        try attempt(draft, try host.createFolder(draft))
    }

    /// Begins a file in the folder, or in a folder in it, which is made if needed.
    func file(_ name: String) throws(ToolError) -> Output {
        if let slash = name.firstIndex(of: "/"), folders.insert(String(name[..<slash])).inserted {
            try attempt(name, try host.createFolder("\(draft)/\(name[..<slash])"))
        }
        let sink = try attempt(name, try host.create("\(draft)/\(name)"))
        return Output(named: "`\(self.name(of: name).escaped)`") { bytes throws(SystemProblem) in
            try sink.write(bytes)
        }
    }

    func add(_ name: String, _ text: String) throws(ToolError) {
        let file = try file(name)
        try file.write(text.utf8)
        try file.flush()
    }

    func finish() throws(ToolError) {
        try attempt(path, try host.renameFolder(draft, to: path))
        isOver = true
    }

    /// Removes what was written, unless the folder is finished.
    func discard() {
        guard !isOver else { return }
        isOver = true
        host.removeFolder(draft)
    }

    private func attempt<Answer>(
        _ name: String, _ answer: @autoclosure () throws(SystemProblem) -> Answer
    ) throws(ToolError) -> Answer {
        try ToolError.asking(to: .write, self.name(of: name), try answer())
    }

    /// A file or the folder itself, as messages name it.
    private func name(of name: String) -> String {
        name == draft || name == path ? path : "\(path)/\(name)"
    }
}
