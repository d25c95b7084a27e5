import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// The rules in `docs/catalogue.rules` find the same as the rules of the catalogue that they
/// restate.
struct CatalogueAsTextTests {
    /// A finding without the rule's message.
    private struct Place: Hashable, CustomStringConvertible {
        var line: LineNumber
        var seq: Int64?
        var level: Level
        var account: String?
        var key: String?

        init(_ finding: Finding) {
            line = finding.line
            seq = finding.seq
            level = finding.level
            account = finding.account
            key = finding.key
        }

        var description: String {
            "\(line) \(level) \(key ?? "-") of \(account ?? "-")"
        }
    }

    /// The rules of the file, each with its rule of the catalogue.
    private struct Pairs: Sendable {
        var rules: [CheckedRule]
        var ids: [String]

        /// The pairs, except for rules that the text only approximates.
        init(besides nearly: Set<String> = []) throws {
            let bytes = try Folders.bytes(of: Folders.root.appending(path: "docs/catalogue.rules"))
            let written = try WrittenRule.rules(of: bytes, file: "catalogue.rules")
                .filter { !nearly.contains(Pairs.id($0.info.id)) }
            let named = Set(written.map { Pairs.id($0.info.id) })
            let swift = RuleCatalogue.all.filter { named.contains($0.id) }
            ids = swift.map { $0.id }
            rules = swift.map { CheckedRule($0) } + written.map { CheckedRule($0) }
        }

        /// The catalogue's id for a rule of the file: the id without its number.
        static func id(_ id: String) -> String {
            id.split(separator: "-").filter { Int($0) == nil }.joined(separator: "-")
        }

        /// The findings of each rule, in Swift and as text.
        func places(
            _ reports: [(rule: RuleInfo, report: Report)]
        ) -> [String: (swift: Set<Place>, text: Set<Place>)] {
            var places: [String: (swift: Set<Place>, text: Set<Place>)] = [:]
            for (rule, report) in reports {
                let found = Set(report.findings.map { Place($0) })
                if ids.contains(rule.id) {
                    places[rule.id, default: ([], [])].swift.formUnion(found)
                } else {
                    places[Pairs.id(rule.id), default: ([], [])].text.formUnion(found)
                }
            }
            return places
        }

        /// The differences between the two.
        func differences(_ reports: [(rule: RuleInfo, report: Report)], _ name: String) -> [String]
        {
            places(reports).filter { $0.value.swift != $0.value.text }.map { id, found in
                let missing = found.swift.subtracting(found.text)
                let extra = found.text.subtracting(found.swift)
                return "\(name): \(id): missing \(missing), extra \(extra)"
            }
        }
    }

    @Test func `rules are said as text, each with the level and the name of its own`()
        throws
    {
        let pairs = try Pairs()
        #expect(pairs.ids.count >= 16)
        for rule in pairs.rules {
            let own = try #require(RuleCatalogue.find(Pairs.id(rule.info.id)))
            #expect(own.level == rule.info.level, "\(rule.info.id)")
        }
    }

    @Test(arguments: ["valid", "violations", "malformed"])
    func `the findings are the same on every sample`(_ folder: String) throws {
        let pairs = try Pairs()
        var found: Set<String> = []
        for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            let reports = try RuleFiles.check(Folders.bytes(of: file), pairs.rules)
            let differences = pairs.differences(reports, file.lastPathComponent)
            #expect(differences.isEmpty, "\(differences)")
            found.formUnion(reports.filter { !$0.report.findings.isEmpty }.map(\.rule.id))
        }
        // Each rule has a sample that violates it, and so must its text.
        if folder == "violations" { #expect(Set(pairs.ids).isSubset(of: found)) }
    }

    @Test func `the findings are the same on generated logs with all faults`() async throws {
        let pairs = try Pairs()
        let count = Effort.of(whole: 500, part: 16)
        let found = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for part in 0..<4 {
                group.addTask {
                    var found: Set<String> = []
                    for seed in stride(from: part + 1, through: count, by: 4) {
                        found.formUnion(try CatalogueAsTextTests.generated(seed, pairs))
                    }
                    return found
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        #expect(found.count >= 13, "\(found)")
    }

    /// Compares a generated log; returns the ids of the rules that found anything.
    private static func generated(_ seed: Int, _ pairs: Pairs) throws -> Set<String> {
        var options = SimulationOptions(
            events: 60 + seed % 7 * 60, accounts: 1 + seed % 5, days: [30, 365, 90][seed % 3])
        options.mix = seed % 2 == 0 ? .adverse : options.mix
        options.salt = UInt64(seed)
        options.faults = Set(Fault.allCases)
        let simulation = Simulation(options, choices: SeededChoices(seed: UInt64(seed)))
        var bytes: [UInt8] = []
        while try simulation.appendLine(to: &bytes) {}
        let reports = try RuleFiles.check(bytes, pairs.rules)
        let differences = pairs.differences(reports, "seed \(seed)")
        #expect(differences.isEmpty, "\(differences)")
        return Set(reports.filter { !$0.report.findings.isEmpty }.map(\.rule.id))
    }

    @Test func `the findings are the same on the mutants of every valid log`() async throws {
        let pairs = try Pairs(besides: ["finished-once", "delivered-implies-paid"])
        let files = Folders.files(in: Folders.events.appending(path: "valid"), "jsonl")
        let counts = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for file in files {
                group.addTask { try CatalogueAsTextTests.mutants(file, pairs) }
            }
            return try await group.reduce(into: (0, [String]())) {
                $0.0 += $1.0
                $0.1 += $1.1
            }
        }
        #expect(counts.0 > Effort.of(whole: 10_000, part: 200))
        #expect(counts.1.isEmpty, "\(counts.1.count): \(counts.1.prefix(5))")
    }

    /// The number of mutants compared, and the places where the findings differ.
    private static func mutants(_ file: URL, _ pairs: Pairs) throws -> (Int, [String]) {
        let decoder = LineDecoder()
        let log = try Folders.bytes(of: file).split(separator: 0x0A).compactMap { line in
            try decoder.event(on: line).map { try MutableRow($0) }
        }
        var (count, places) = (0, 0)
        var differences: [String] = []
        for mutation in Mutation.all {
            for index in log.indices {
                let mutants = mutation.mutants(log, index).filter { $0 != log }
                if !mutants.isEmpty { places += 1 }
                guard Effort.isWhole || places % 60 == 1 else { continue }
                for mutant in mutants {
                    let bytes = mutant.indices.flatMap { mutant[$0].line($0 + 1) }
                    let reports = try RuleFiles.check(bytes, pairs.rules)
                    count += 1
                    differences += pairs.differences(
                        reports,
                        "\(file.lastPathComponent):\(index + 1), \(mutation.name)")
                }
            }
        }
        return (count, differences)
    }
}
