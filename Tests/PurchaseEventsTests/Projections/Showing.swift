import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// Folds logs into rows, for the tests of projections.
struct Showing {
    /// The bytes of the log.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A sample that ships: its path under `events`.
    init(_ sample: String) throws {
        bytes = try Folders.bytes(of: Folders.events.appending(path: sample))
    }

    /// A history in the tests' timeline language.
    init(timeline: String) { bytes = Timeline(timeline).bytes }

    /// The question to the fold.
    struct Question {
        var line = Int.max
        var instant: String?
        var account: String?
        var nonRenewing = Receipt.NonRenewing.leaves
    }

    /// The fold up to a line, for an instant.
    func fold(_ question: Question = Question()) throws -> Show {
        let reader = LogReader()
        let projections = ProjectionCatalogue.all.map { type -> any Projection in
            type == Receipt.self ? Receipt(nonRenewing: question.nonRenewing) : type.init()
        }
        let instant = question.instant.flatMap { Timestamp(dayOrTime: $0) }
        var show = Show(projections, names: reader.decoder.names, asOf: instant)
        try reader.read(MemorySource(bytes)) { line in
            guard line.number <= question.line else { return false }
            show.observe(line)
            return true
        }
        return show
    }

    /// The rows that a question asks for.
    ///
    /// A question is the name of a projection and the keys to show, or none for the whole row as
    /// JSON. Among the keys, `line=N`, `asOf=TIME`, `account=NAME` and `nonRenewing=stays` narrow
    /// what is asked. `periods` asks for the periods of each subscription.
    func answer(_ question: String) throws -> [String] {
        let words = question.split(separator: " ").map(String.init)
        var asked = Question()
        for word in words where word.contains("=") {
            let value = String(word.drop { $0 != "=" }.dropFirst())
            switch word.prefix(while: { $0 != "=" }) {
            case "line": asked.line = try #require(Int(value))
            case "asOf": asked.instant = value
            case "account": asked.account = value
            case "nonRenewing": asked.nonRenewing = try #require(.init(rawValue: value))
            case _: throw StoryFile.Mistake("\(question): what does \(word) ask?")
            }
        }
        if words.first == "periods" { return try periods(asked) }
        guard let name = words.first, let projection = ProjectionCatalogue.find(name) else {
            throw StoryFile.Mistake("\(question): there is no such projection")
        }
        let keys = words.dropFirst().filter { !$0.contains("=") }
        return try fold(asked).rows(of: projection, account: asked.account).map { row in
            if keys.isEmpty { return RowJSON.text(of: row.fields) }
            return keys.compactMap { key in
                row.fields.first { $0.key == key }.map { "\(key)=\(Self.text($0.value))" }
            }.joined(separator: " ")
        }
    }

    /// The periods of the subscriptions: transaction, start, end and end of access as days.
    private func periods(_ question: Question) throws -> [String] {
        let facts = try fold().facts
        let instant = question.instant.flatMap { Timestamp(dayOrTime: $0) }
        let day = { (time: Timestamp) in String(time.text.prefix(10).dropFirst(5)) }
        return facts.subscriptions.flatMap { subscription in
            facts.periods(of: subscription, asOf: instant).map {
                "\(facts.text(subscription.original)): \(facts.text($0.transaction)) "
                    + "\(day($0.start)) \(day($0.end)) \(day($0.accessEnd)) "
                    + "\($0.ended?.rawValue ?? "-")"
            }
        }
    }

    /// A value as a test writes it: times at midnight as days, lists in brackets.
    private static func text(_ value: RowValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let integer): "\(integer)"
        case .flag(let flag): "\(flag)"
        case .time(let time):
            time.text.hasSuffix("T00:00:00.000Z")
                ? String(time.text.prefix(10)) : String(time.text.prefix(16))
        case .list(let values): "[" + values.map(text).joined(separator: " ") + "]"
        case .object(let fields):
            "(" + fields.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ") + ")"
        }
    }
}
