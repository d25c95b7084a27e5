import Foundation

/// A file of stories: each is a title after `# `, its lines, and a blank line.
///
/// A story may be told in several ways: a line `or` stands between two tellings, and of the lines
/// after `* ` each telling has one. `N × LINE; LINE` stands for N times these lines, in which `#`
/// is the number from 1.
struct StoryFile: Sendable, CustomStringConvertible {
    struct Story {
        var title: String
        var lines: [String]
    }

    /// What is wrong with a story.
    struct Mistake: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    static let folder = Folders.root.appending(path: "Tests/PurchaseEventsTests/Stories")

    /// The files in one of the folders of stories.
    static func all(in name: String) -> [StoryFile] {
        Folders.files(in: folder.appending(path: name), "stories").map { StoryFile(url: $0) }
    }

    let url: URL
    /// The file's name without its extension.
    var name: String { url.deletingPathExtension().lastPathComponent }
    var description: String { url.lastPathComponent }

    func stories() throws -> [Story] {
        try StoryFile.stories(in: String(contentsOf: url, encoding: .utf8))
    }

    static func stories(in text: String) throws -> [Story] {
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

    private static func repeated(_ line: String) -> [String] {
        guard let match = line.wholeMatch(of: /(\d+) × (.+)/), let count = Int(match.1) else {
            return [line]
        }
        return (0..<count).flatMap { index in
            match.2.replacing("#", with: "\(index + 1)").split(separator: "; ").map(String.init)
        }
    }
}
