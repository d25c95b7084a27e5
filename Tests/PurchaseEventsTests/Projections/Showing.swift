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

    /// The rows of a projection as JSON, one string each.
    func rows(
        _ projection: any Projection.Type, line: Int = .max, asOf instant: String? = nil,
        account: String? = nil, nonRenewing: Receipt.NonRenewing = .leaves
    ) throws -> [String] {
        let show = try fold(
            Question(line: line, instant: instant, account: account, nonRenewing: nonRenewing))
        return show.rows(of: projection, account: account).map { RowJSON.text(of: $0.fields) }
    }

    /// The rows of a projection, reduced to some keys: `key=value`, separated by spaces.
    func brief(
        _ projection: any Projection.Type, _ keys: String, line: Int = .max,
        asOf instant: String? = nil
    ) throws -> [String] {
        let wanted = keys.split(separator: " ").map(String.init)
        return try fold(Question(line: line, instant: instant)).rows(of: projection).map { row in
            wanted.compactMap { key in
                row.fields.first { $0.key == key }.map { "\(key)=\(Self.text($0.value))" }
            }.joined(separator: " ")
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
