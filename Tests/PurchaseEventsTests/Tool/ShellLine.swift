import Foundation

@testable import replay

/// A command line from the documents, run in memory: stages of `replay`, `cat` and `ls` joined by
/// `|`, words in single quotes, and a file after `>`.
struct ShellLine {
    private let stages: [[String]]
    /// The file that receives the output of the last stage; `nil` for the terminal.
    private let target: String?

    init(_ text: String) {
        var words: [String] = []
        for (index, part) in text.split(separator: "'", omittingEmptySubsequences: false)
            .enumerated()
        {
            words += index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
        var target: String?
        if let mark = words.firstIndex(of: ">"), mark + 1 < words.count {
            target = words[mark + 1]
            words.removeSubrange(mark...(mark + 1))
        }
        stages = words.split(separator: "|").map(Array.init)
        self.target = target
    }

    /// Whether this type can run every stage.
    var isRunnable: Bool {
        !stages.isEmpty && stages.allSatisfy { ["replay", "cat", "ls"].contains($0.first) }
    }

    /// The `replay` command of the last stage; empty if it isn't `replay`.
    var command: String { stages.last.map { $0.dropFirst().first ?? "" } ?? "" }

    /// Runs the line on files, and adds the target to them.
    ///
    /// - Parameter prepare: Says what else is true of the system.
    /// - Returns: the status and output of the last stage, and everything written to standard
    ///   error.
    func run(
        on files: inout [String: [UInt8]], _ prepare: (TestHost) -> Void = { _ in }
    ) throws -> Ran {
        var ran = Ran(status: .well, output: "", error: "")
        var bytes: [UInt8] = []
        for stage in stages {
            let words = stage.dropFirst()
            if stage.first == "cat" {
                bytes = words.flatMap { files[$0] ?? [] }
                continue
            } else if stage.first == "ls" {
                let names = files.keys.filter { $0.hasPrefix(words.first ?? "") }
                bytes = Array(Logs.text(names.sorted()).utf8)
                continue
            }
            let host = TestHost(bytes: files)
            prepare(host)
            host.input = bytes
            if words.first == RecoverCommand.name {
                let recovered = try ShellLine.recover(Array(words), on: host)
                (ran.status, bytes) = (recovered.status, Array(recovered.output.utf8))
                ran.error += recovered.error
            } else {
                ran.status = Tool.run(Array(words), on: host)
                ran.error += host.error
                bytes = host.outputBytes
            }
            files = host.files
        }
        if let target {
            files[target] = bytes
        } else {
            ran.output = String(decoding: bytes, as: UTF8.self)
        }
        return ran
    }

    /// Runs `replay recover`, which works on the disk alone, on the files that its arguments name
    /// or that are in the folders that they name.
    private static func recover(_ arguments: [String], on host: TestHost) throws -> Ran {
        let folder = try TemporaryFolder()
        var placed = arguments
        for (place, name) in arguments.enumerated().dropFirst() where !name.hasPrefix("-") {
            placed[place] = "\(folder.path)/\(name)"
            for (file, bytes) in host.files where file == name || file.hasPrefix("\(name)/") {
                let url = URL(filePath: "\(folder.path)/\(file)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: url)
                host.files[url.path] = bytes
            }
        }
        let status = Tool.run(placed, on: host)
        host.files = host.files.filter { !$0.key.hasPrefix(folder.path) }
        for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            // A folder has no contents.
            FileManager.default.contents(atPath: "\(folder.path)/\(file)")
                .map { host.files[file] = Array($0) }
        }
        func shown(_ text: String) -> String { text.replacing("\(folder.path)/", with: "") }
        return Ran(status: status, output: shown(host.output), error: shown(host.error))
    }

    /// The files in the documents' command lines: the samples, the imported response, and
    /// `purchases.jsonl`, a chained log, with its checkpoint.
    static func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in ["valid", "violations", "malformed", "regressions"] {
            files.merge(try TestHost.samples(folder).files) { $1 }
        }
        var paths = [
            "Tests/PurchaseEventsTests/Docs/response.json", "Examples/OwnRules/team.rules",
        ]
        paths += ["grants.csv", "grants.json", "device.jsonl", "notifications.jsonl", "root.pem"]
            .map { "events/reconcile/\($0)" }
        for folder in ["Mappings", "Mappings/samples"] {
            for ending in ["json", "jsonl", "csv"] {
                paths += Folders.files(in: Folders.root.appending(path: folder), ending)
                    .map { "\(folder)/\($0.lastPathComponent)" }
            }
        }
        for path in paths {
            files[path] = try Folders.bytes(of: Folders.root.appending(path: path))
        }
        files["redaction.key"] = Array("a key of the tests".utf8)
        let log = try ChainedLog(64)
        files["purchases.jsonl"] = log.bytes
        files["purchases.checkpoint"] = Array(log.checkpoint(60).text.utf8)
        return files
    }
}
