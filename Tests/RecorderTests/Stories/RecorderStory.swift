import TestSupport

@testable import PurchaseEvents

/// What a story of a recorder shows: the events that the log got, and what else happened.
///
/// The type of an event follows after `= `, with its keys without quotes; the account of the tests
/// is `me`, and a midnight is its day.
struct RecorderStory {
    private var lines: [String]
    /// How much of each list is shown.
    var lengths: [String: Int] = [:]
    private let log: TestLog

    init(_ log: TestLog) { (self.log, lines) = (log, log.lines) }

    /// The events since the last question, without their chain values.
    mutating func events() -> [String] {
        defer { lines = log.lines }
        return log.lines.dropFirst(lines.count).map { line in
            let shown = line.replacing(#""device":"phone","#, with: "").replacing(
                /^{"seq":\d+,"at":"[^"]+","type":"([\w.]+)"(?:,(.*?))?,"chain":"\w+"}/
            ) { "\($0.1)\($0.2.map { " \($0)" } ?? "")" }
            return "= "
                + shown.replacing("\"", with: "").replacing("T00:00:00.000Z", with: "")
                .replacing(Bench.account, with: "me")
        }
    }

    /// The lines of a list after a mark that came since the last question about it.
    mutating func new(_ all: [String], _ mark: String, of list: String) -> [String] {
        let seen = lengths[list] ?? 0
        lengths[list] = all.count
        return all.dropFirst(seen).map {
            "\(mark) \($0.replacing(/Purchase(Events|Recorder)\./, with: ""))"
        }
    }

    /// The findings of error and warning level at the end.
    func findings() throws -> [String] { try log.findings().map { "! \($0)" } }

    /// The words of a line that stand for several things, each without its commas.
    static func parts(_ words: some Sequence<String>) -> [[String]] {
        words.joined(separator: " ").split(separator: ", ").map {
            $0.split(separator: " ").map(String.init)
        }
    }

    /// The values of the words `KEY=VALUE`.
    static func values(_ words: some Sequence<String>) -> [String: String] {
        words.reduce(into: [:]) { values, word in
            guard let match = word.wholeMatch(of: /(\w+)=(.+)/) else { return }
            values[String(match.1)] = String(match.2)
        }
    }

    /// A product in a test's store: `NAME`, and what it has as `hosted` and `KEY=VALUE`.
    static func product(_ words: [String]) -> TestProduct {
        let values = values(words)
        return TestProduct(
            observedProduct: words[0],
            observedKind: values["kind"].flatMap { ProductKind(rawValue: $0) },
            observedGroup: values["group"], observedPeriod: values["period"],
            observedIsHosted: words.contains("hosted"),
            observedIsShareable: words.contains("shared") ? true : nil)
    }
}
