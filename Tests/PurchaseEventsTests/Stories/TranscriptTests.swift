import Foundation
import PurchaseEvents
import TestSupport
import Testing

@testable import replay

/// The stories of the tool, `Tool/NAME.stories`: commands, each with everything that it prints.
///
/// `log FILE` stands before a history in the language of ``Timeline``, and `file FILE` before a
/// text, in which `\` is an empty line, `\u{N}` a character, and `\ no end of line` ends the text;
/// `append FILE` stands before more of a text. `bytes FILE HEX`, `cut FILE COUNT` and `remove FILE`
/// change a file too, and `host SITUATION …` the system, as ``Situation`` says. `$ COMMAND` is run
/// as ``ShellLine`` says, on these files, the samples and the logs of ``ChainedLog/damaged()``. Its
/// output follows after `= `, its errors after `! `, and its status after `exit `;
/// `UPDATE_GOLDEN=1` writes them anew.
struct TranscriptTests {
    @Test(arguments: StoryFile.all(in: "Tool"))
    func `each command prints what its story shows`(_ file: StoryFile) async throws {
        let samples = try ShellLine.files().merging(try ChainedLog.damaged()) { $1 }
        for (told, played) in try await file.played({ try Transcript.played($0, on: samples) }) {
            #expect(
                told == played, "\(file): \(told[0])\n\(played.joined(separator: "\n"))")
            let commands = told.count { $0.hasPrefix("$ ") }
            #expect(commands > told.count { $0 == "or" }, "\(file): \(told[0])")
        }
    }
}

private enum Transcript {
    /// The lines of a telling with what its commands print now.
    static func played(_ told: [String], on samples: [String: [UInt8]]) throws -> [String] {
        var files = samples
        var situation = Situation()
        var open: (name: String, text: String, isLog: Bool)?
        var lines: [String] = []
        for line in told {
            lines.append(line)
            let line = line.replacing(/\\u\{(\w+)\}/) { code in
                UInt32(code.1, radix: 16).flatMap(Unicode.Scalar.init).map { "\($0)" } ?? ""
            }
            if line.hasPrefix("$ ") {
                let command = String(line.dropFirst(2))
                let before = files
                let ran = try ShellLine(command).run(on: &files, situation.prepare)
                lines += marked(ran.output, "=") + marked(ran.error, "!") + ["exit \(ran.status)"]
                if command.hasPrefix("replay import rows"), !command.contains(/[|>]/) {
                    lines += try unexpected(of: ran, command, on: before)
                }
                open = nil
            } else if let match = line.wholeMatch(of: /(log|file|append) (\S+)/) {
                let name = String(match.2)
                let before = match.1 == "append" ? files[name] ?? [] : []
                open = (name, String(decoding: before, as: UTF8.self), match.1 == "log")
            } else if let match = line.wholeMatch(of: /(bytes|cut|remove) (\S+) ?(.*)/) {
                files[String(match.2)] = changed(
                    files[String(match.2)], match.1, String(match.3))
                open = nil
            } else if let match = line.wholeMatch(of: /host (.+)/) {
                try situation.add(match.1.split(separator: " ").map(String.init))
                open = nil
            } else if line == #"\ no end of line"#, let name = open?.name {
                files[name]?.removeLast()
                continue
            } else {
                for line in StoryFile.repeated(line) {
                    open?.text += line == #"\"# ? "\n" : line + "\n"
                }
            }
            guard let open else { continue }
            files[open.name] = open.isLog ? Timeline(open.text).bytes : Array(open.text.utf8)
        }
        return lines
    }

    /// What doesn't hold of an import, though it holds of every import: two threads print the same,
    /// and the lines of the log are canonical.
    private static func unexpected(
        of ran: Ran, _ command: String, on files: [String: [UInt8]]
    ) throws -> [String] {
        var files = files
        let again = try ShellLine("\(command) --threads=2").run(on: &files)
        let isSame = again.output == ran.output && again.error == ran.error
        let decoder = LineDecoder()
        let others = try ran.lines.map { Array($0.utf8) }.filter { line in
            try decoder.event(on: line[...]).map { try LineWriter.line(of: $0) } != line
        }
        return (isSame ? [] : ["! on two threads: \(again)"])
            + others.map { "! not canonical: \(String(decoding: $0, as: UTF8.self))" }
    }

    /// A file after `bytes HEX`, `cut COUNT` or `remove`.
    private static func changed(
        _ bytes: [UInt8]?, _ change: Substring, _ words: String
    ) -> [UInt8]? {
        switch change {
        case "bytes": words.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        case "cut": bytes?.dropLast(Int(words) ?? 0)
        case _: nil
        }
    }

    /// The lines of an output after a mark; a carriage return is shown.
    private static func marked(_ output: String, _ mark: String) -> [String] {
        var lines = output.replacing("\r\n", with: "\\r\n")
            .split(separator: "\n", omittingEmptySubsequences: false)
        let end = lines.popLast() ?? ""
        if !end.isEmpty { lines += [end, #"\ no end of line"#] }
        return lines.map { $0.isEmpty ? mark : "\(mark) \($0)" }
    }
}

/// What is true of the system of a story besides its files.
private struct Situation {
    private var paths: [String: Set<String>] = [:]
    private var columns: Int?

    /// Adds `unreadable PATH`, `broken PATH` for a file that fails in the middle, `pipe PATH`,
    /// `unnameable PATH`, `full` for a standard output that takes nothing, or `terminal COLUMNS`.
    mutating func add(_ words: [String]) throws {
        if words[0] == "terminal" {
            columns = words.last.flatMap { Int($0) }
        } else if ["unreadable", "broken", "pipe", "unnameable", "full"].contains(words[0]) {
            paths[words[0], default: []].insert(words.count > 1 ? words[1] : "")
        } else {
            throw StoryFile.Mistake("what is \(words)?")
        }
    }

    func prepare(_ host: TestHost) {
        host.unreadable = paths["unreadable"] ?? []
        host.broken = paths["broken"] ?? []
        host.pipes = paths["pipe"] ?? []
        host.unnameable = paths["unnameable"] ?? []
        host.outputProblem = paths["full"] == nil ? nil : 28
        guard columns != nil else { return }
        (host.terminals, host.variables, host.columns) = ([.output], ["NO_COLOR": "1"], columns)
    }
}
