import Foundation
import TestSupport
import Testing

@testable import replay

/// The stories of the tool, `Tool/NAME.stories`: commands, each with everything that it prints.
///
/// `log FILE` stands before a history in the language of ``Timeline``, and `file FILE` before a
/// text, in which `\` is an empty line and `\ no end of line` ends the text. `$ COMMAND` is run as
/// ``ShellLine`` says, on these files, the samples and the logs of ``ChainedLog/damaged()``. Its
/// output follows after `= `, its errors after `! `, and its status after `exit `;
/// `UPDATE_GOLDEN=1` writes them anew.
struct TranscriptTests {
    @Test(arguments: StoryFile.all(in: "Tool"))
    func `each command prints what its story shows`(_ file: StoryFile) async throws {
        let samples = try ShellLine.files().merging(try ChainedLog.damaged()) { $1 }
        for (told, played) in try await file.played({ Transcript.played($0, on: samples) }) {
            #expect(
                told == played, "\(file): \(told[0])\n\(played.joined(separator: "\n"))")
            let commands = told.count { $0.hasPrefix("$ ") }
            #expect(commands > told.count { $0 == "or" }, "\(file): \(told[0])")
        }
    }
}

private enum Transcript {
    /// The lines of a telling with what its commands print now.
    static func played(_ told: [String], on samples: [String: [UInt8]]) -> [String] {
        var files = samples
        var open: (name: String, text: String, isLog: Bool)?
        var lines: [String] = []
        for line in told {
            lines.append(line)
            if line.hasPrefix("$ ") {
                let ran = ShellLine(String(line.dropFirst(2))).run(on: &files)
                lines += marked(ran.output, "=") + marked(ran.error, "!") + ["exit \(ran.status)"]
                open = nil
            } else if let match = line.wholeMatch(of: /(log|file) (\S+)/) {
                open = (String(match.2), "", match.1 == "log")
            } else if line == #"\ no end of line"#, let name = open?.name {
                files[name]?.removeLast()
                continue
            } else {
                open?.text += line == #"\"# ? "\n" : line + "\n"
            }
            guard let open else { continue }
            files[open.name] = open.isLog ? Timeline(open.text).bytes : Array(open.text.utf8)
        }
        return lines
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
