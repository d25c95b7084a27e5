import Foundation

@testable import replay

/// A command line from the documents, run in memory: stages of `replay` and `cat` joined by `|`,
/// words in single quotes, and a file after `>`.
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
        !stages.isEmpty && stages.allSatisfy { $0.first == "replay" || $0.first == "cat" }
    }

    /// The `replay` command of the last stage; empty if it isn't `replay`.
    var command: String { stages.last.map { $0.dropFirst().first ?? "" } ?? "" }

    /// Runs the line on files, and adds the target to them.
    ///
    /// - Returns: the status and output of the last stage, and everything written to standard
    ///   error.
    func run(on files: inout [String: [UInt8]]) -> Ran {
        var ran = Ran(status: .well, output: "", error: "")
        var bytes: [UInt8] = []
        for stage in stages {
            if stage.first == "cat" {
                bytes = stage.dropFirst().flatMap { files[$0] ?? [] }
                continue
            }
            let host = TestHost(bytes: files)
            host.input = bytes
            ran.status = Tool.run(Array(stage.dropFirst()), on: host)
            ran.error += host.error
            bytes = host.outputBytes
            files = host.files
        }
        if let target {
            files[target] = bytes
        } else {
            ran.output = String(decoding: bytes, as: UTF8.self)
        }
        return ran
    }

    /// The files in the documents' command lines: the samples, the imported response, and
    /// `purchases.jsonl`, a chained log, with its checkpoint.
    static func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for folder in ["valid", "violations", "malformed", "regressions"] {
            files.merge(try TestHost.samples(folder).files) { $1 }
        }
        let response = "Tests/PurchaseEventsTests/Docs/response.json"
        files[response] = try Folders.bytes(of: Folders.root.appending(path: response))
        let rules = "Examples/OwnRules/team.rules"
        files[rules] = try Folders.bytes(of: Folders.root.appending(path: rules))
        for name in [
            "grants.csv", "grants.json", "device.jsonl", "notifications.jsonl", "root.pem",
        ] {
            let path = "events/reconcile/\(name)"
            files[path] = try Folders.bytes(of: Folders.root.appending(path: path))
        }
        files["redaction.key"] = Array("a key of the tests".utf8)
        let log = try ChainedLog(64)
        files["purchases.jsonl"] = log.bytes
        files["purchases.checkpoint"] = Array(log.checkpoint(60).text.utf8)
        return files
    }
}
