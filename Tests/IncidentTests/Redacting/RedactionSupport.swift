import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

@testable import PurchaseIncidents

/// Helpers of the redaction tests.
enum Redacting {
    /// The key that most tests use.
    static let key = key("a key for the tests")

    static func key(_ text: String) -> RedactionKey {
        guard let key = RedactionKey(text.utf8) else {
            preconditionFailure("a key of 16 bytes or more")
        }
        return key
    }

    /// A simulated log with some faults.
    static func log(seed: UInt64, events: Int) -> [UInt8] {
        var options = SimulationOptions(events: events, accounts: 6, days: 200)
        options.salt = seed
        var dice = Dice(seed: seed)
        options.faults = Set(
            Fault.allCases.filter { _ in dice.below(3) == 0 })
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var bytes: [UInt8] = []
        while (try? simulation.appendLine(to: &bytes)) == true {}
        return bytes
    }

    /// The events of a log.
    static func events(_ log: [UInt8]) -> [Event<Written>] {
        let decoder = LineDecoder()
        return log.split(separator: 0x0A).compactMap { decoder.event(on: $0) }
    }

    /// The values of a log that a redaction replaces by pseudonyms.
    static func names(_ log: [UInt8], withProducts: Bool = false) throws -> Set<String> {
        var names: Set<String> = []
        for event in events(log) {
            let members = try JSONReader.document(LineWriter.line(of: event))
            for field in EventType.envelope + event.type.schema {
                guard let text = members[field.key.wireName]?.plainText else { continue }
                switch field.kind {
                case .name(.product), .name(.group), .name(.content):
                    if withProducts { names.insert(text) }
                case .name, .id: names.insert(text)
                case .text:
                    if [.app, .writer].contains(field.key) { names.insert(text) }
                case .time, .flag, .currency, .integer, .word: break
                }
            }
        }
        return names
    }

    /// For each value of a log that its redaction changed, the replacements.
    static func replacements(_ log: [UInt8], _ redacted: [UInt8]) throws -> [String: Set<String>] {
        var replacements: [String: Set<String>] = [:]
        for (event, other) in zip(events(log), events(redacted)) {
            let members = try JSONReader.document(LineWriter.line(of: event))
            let others = try JSONReader.document(LineWriter.line(of: other))
            // No answer names the app or the writer, and products begin with the app's name.
            for field in EventType.envelope + event.type.schema
            where ![.app, .writer].contains(field.key) {
                let key = field.key.wireName
                guard let text = members[key]?.plainText, let new = others[key]?.plainText,
                    new != text
                else { continue }
                replacements[text, default: []].insert(new)
            }
        }
        return replacements
    }

    /// Redacts a log on two threads.
    static func redacted(
        _ log: [UInt8], _ change: (inout Redaction) -> Void = { _ in }
    ) -> (log: [UInt8], summary: RedactionSummary) {
        var redaction = Redaction(key)
        change(&redaction)
        var redactor = Redactor(redaction, threads: 2)
        let redacted = redactor.redact(log)
        return (redacted, redactor.summary)
    }

    /// The results of rules and projections for a log, as texts with names replaced.
    static func answers(
        _ log: [UInt8], replacing names: [String: String] = [:]
    ) throws -> [String] {
        let lines = LogLines(log)
        let decoder = LineDecoder()
        var check = Check(RuleCatalogue.all, names: decoder.names)
        try lines.read(decoder) { check.observe($0) }
        var answers: [String] = []
        for (rule, report) in check.finish() {
            answers.append("\(rule.id): \(report.verdict), \(report.tested) tested")
            for finding in report.findings {
                let notes = finding.notes.map { "\($0.line) \($0.message)" }
                answers.append(
                    words(
                        "\(finding.rule) \(finding.level) \(finding.line) \(finding.seq ?? 0) "
                            + "\(finding.account ?? "") \(finding.key ?? "") \(finding.message) "
                            + notes.joined(separator: " "), replacing: names
                    ).joined(separator: " "))
            }
        }
        let show = try lines.show()
        for projection in ProjectionCatalogue.all {
            // Names decide the order of some lists, so sort the words.
            answers += rows(projection, show).map { row in
                projection.name + words(row, replacing: names).sorted().joined(separator: " ")
            }
        }
        return answers.sorted()
    }

    private static func rows(_ projection: any Projection.Type, _ show: Show) -> [String] {
        func rows<Shown: Projection>(_ projection: Shown.Type) -> [String] {
            show.rows(of: projection).map { RowJSON.text(of: $0.fields) }
        }
        return rows(projection)
    }

    /// The words of a text with names replaced, including names of several words.
    private static func words(_ text: String, replacing names: [String: String]) -> [Substring] {
        let isOfWord: (Character) -> Bool = {
            $0.isLetter || $0.isNumber || $0 == "-" || $0 == "#" || $0 == "_"
        }
        var text = text
        for (name, pseudonym) in names where !name.allSatisfy(isOfWord) {
            text = text.replacing(name, with: pseudonym)
        }
        return text.split { !isOfWord($0) }.map { names[String($0)].map { $0[...] } ?? $0 }
    }
}
