import Foundation

/// A file of stories: each is a title after `# `, its lines, and a blank line.
///
/// A story may be told in several ways: a line `or` stands between two tellings, and of the lines
/// after `* ` each telling has one. `N × LINE; LINE` stands for N times these lines, in which `#`
/// is the number from 1.
package struct StoryFile: Sendable, CustomStringConvertible {
    package struct Story {
        package var title: String
        package var lines: [String]
    }

    /// What is wrong with a story.
    package struct Mistake: Error {
        package var text: String
        package init(_ text: String) { self.text = text }
    }

    package static let folder = Folders.root.appending(path: "Tests/PurchaseEventsTests/Stories")

    /// The files in one of the folders of stories.
    package static func all(in name: String) -> [StoryFile] {
        Folders.files(in: folder.appending(path: name), "stories").map(StoryFile.init)
    }

    package let url: URL
    package init(url: URL) { self.url = url }
    /// The file's name without its extension.
    package var name: String { url.deletingPathExtension().lastPathComponent }
    package var description: String { url.lastPathComponent }

    package func stories() throws -> [Story] {
        try StoryFile.stories(in: String(contentsOf: url, encoding: .utf8))
    }

    package static func stories(in text: String) throws -> [Story] {
        try text.split(separator: "\n\n").flatMap { text in
            let lines = text.split(separator: "\n").map(String.init)
            let tellings = lines.dropFirst().split { $0 == "or" }.flatMap(tellings)
                .map { $0.flatMap(repeated) }
            guard let title = lines.first, title.hasPrefix("# "), !tellings.isEmpty else {
                throw Mistake("expected `# ` and a title, then lines, seen \(text)")
            }
            return tellings.enumerated().map { index, lines in
                let number = tellings.count > 1 ? " (\(index + 1))" : ""
                return Story(title: title.dropFirst(2) + number, lines: lines)
            }
        }
    }

    /// Plays each story, and gives it as its file tells it and as it was played.
    ///
    /// `play` is given the lines of a telling, and gives them with what each shows: lines after
    /// `= `, `! `, `> ` and `exit `. Those in the file are left out before; `UPDATE_GOLDEN=1`
    /// writes them anew.
    package func played(
        _ play: ([String]) async throws -> [String]
    ) async throws -> [(told: [String], played: [String])] {
        let text = try String(contentsOf: url, encoding: .utf8)
        _ = try StoryFile.stories(in: text)
        var played: [[String]] = []
        for story in StoryFile.linesOfEach(text) {
            var tellings: [[String]] = []
            for telling in story.dropFirst().split(separator: "or") {
                tellings.append(try await play(telling.filter { !StoryFile.isShown($0) }))
            }
            played.append([story[0]] + tellings.joined(separator: ["or"]))
        }
        let anew = played.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
        let told = try GoldenFile.text(at: url, for: anew)
        return Array(zip(StoryFile.linesOfEach(told ?? ""), played))
    }

    private static func linesOfEach(_ text: String) -> [[String]] {
        text.split(separator: "\n\n").map { $0.split(separator: "\n").map(String.init) }
    }

    private static func isShown(_ line: String) -> Bool {
        ["=", "!"].contains(line) || ["= ", "! ", "> ", "exit "].contains { line.hasPrefix($0) }
    }

    /// The lines with each of those after `* ` in turn.
    private static func tellings(_ lines: ArraySlice<String>) -> [[String]] {
        let shared = lines.filter { !$0.hasPrefix("* ") }
        let others = lines.filter { $0.hasPrefix("* ") }
        guard let place = lines.firstIndex(where: { $0.hasPrefix("* ") }) else { return [shared] }
        return others.map { other in
            var telling = shared
            telling.insert(String(other.dropFirst(2)), at: place - lines.startIndex)
            return telling
        }
    }

    /// The lines that `N × LINE; LINE` stands for; another line stands for itself.
    package static func repeated(_ line: String) -> [String] {
        guard let match = line.wholeMatch(of: /(\d+) × (.+)/), let count = Int(match.1) else {
            return [line]
        }
        return (0..<count).flatMap { index in
            match.2.replacing("#", with: "\(index + 1)").split(separator: "; ").map(String.init)
        }
    }
}
