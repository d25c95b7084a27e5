import PurchaseEvents
import PurchaseProjections
import Testing

/// The stories of the projections: a file for each, `Projections/NAME.stories`.
///
/// A story is a history in the language of ``Timeline``, or the sample log of `log: PATH`, with
/// questions in it. `? PROJECTION KEY …` asks for the rows up to there, reduced to the keys, or
/// whole if there are none; `line=N`, `asOf=TIME`, `account=NAME` and `nonRenewing=stays` among the
/// keys narrow the question. Each row follows after `= `. Lines after `~ ` trade their places: the
/// rows are the same in every order.
struct RowStoryTests {
    @Test(arguments: StoryFile.all(in: "Projections"))
    func `each question has its rows`(_ file: StoryFile) throws {
        for story in try file.stories() {
            for lines in RowStoryTests.orders(of: story.lines) {
                let questions = try RowStoryTests.questions(in: lines)
                #expect(!questions.isEmpty, "\(file): \(story.title): expected a question")
                for question in questions {
                    let rows = try question.showing.answer(question.text)
                    let place = "\(file): \(story.title)\n\(question.text)"
                    #expect(rows == question.rows, "\(place)\n\(lines.joined(separator: "\n"))")
                }
            }
        }
    }

    private struct Question {
        var text: String
        var showing: Showing
        var rows: [String] = []
    }

    private static func questions(in lines: [String]) throws -> [Question] {
        var sample: Showing?
        var history = ""
        var questions: [Question] = []
        for line in lines {
            if line.hasPrefix("log: ") {
                sample = try Showing(String(line.dropFirst(5)))
            } else if line.hasPrefix("? ") {
                let showing = sample ?? Showing(timeline: history)
                questions.append(Question(text: String(line.dropFirst(2)), showing: showing))
            } else if line.hasPrefix("="), !questions.isEmpty {
                questions[questions.count - 1].rows.append(String(line.dropFirst(2)))
            } else {
                history += line + "\n"
            }
        }
        return questions
    }

    /// The story with the lines after `~ ` in every order.
    private static func orders(of lines: [String]) -> [[String]] {
        let places = lines.indices.filter { lines[$0].hasPrefix("~ ") }
        return permutations(of: places.map { String(lines[$0].dropFirst(2)) }).map { moved in
            var ordered = lines
            for (place, line) in zip(places, moved) { ordered[place] = line }
            return ordered
        }
    }

    private static func permutations(of lines: [String]) -> [[String]] {
        guard let last = lines.last else { return [[]] }
        return permutations(of: lines.dropLast()).flatMap { order in
            (0...order.count).map { order[..<$0] + [last] + order[$0...] }
        }
    }
}
