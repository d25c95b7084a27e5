import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// Each rule against each mutation of each valid log: at every fortieth place of a mutation in a
/// log, or at every place if all tests run.
struct MutationMatrixTests {
    private static let files = Folders.files(in: Folders.events.appending(path: "valid"), "jsonl")

    @Test func `every mutation is noticed, or there is a reason why not`() async throws {
        let matrix = try await MutationMatrix.build(MutationMatrixTests.files)
        try report(matrix, "samples")
        #expect(matrix.falseFindings.isEmpty)
        #expect(matrix.misunderstood.isEmpty)
        for (number, mutation) in Mutation.all.enumerated() {
            let cells = matrix.cells(of: number)
            #expect(!cells.isEmpty, "no place for: \(mutation.name)")
            for (type, cell) in cells where cell.unnoticed > 0 {
                let reasons = MutationReason.of(mutation.name, type)
                #expect(
                    reasons.count == 1,
                    "\(mutation.name), \(type.wireName): \(reasons.count) reasons")
            }
        }
        // The rest is true only of all mutants together.
        guard Effort.isWhole else { return }
        for stale in stale(MutationReason.all, matrix) {
            Issue.record("no longer unnoticed: \(stale)")
        }
        for (index, rule) in RuleCatalogue.all.enumerated() {
            #expect(matrix.kills(of: index, level: rule.level) > 0, "\(rule.id) notices nothing")
        }
        try expectGolden(matrix.text, "mutations.txt")
    }

    @Test func `on today's histories too, every unnoticed mutation has a reason`() async throws {
        let logs = try (1...2).map { seed in
            ("today-\(seed)", try MutationMatrixTests.history(seed: seed))
        }
        let matrix = try await MutationMatrix.build(logs)
        try report(matrix, "today", logs)
        #expect(matrix.falseFindings.isEmpty)
        #expect(matrix.misunderstood.isEmpty)
        for (number, mutation) in Mutation.all.enumerated() {
            for (type, cell) in matrix.cells(of: number) where cell.unnoticed > 0 {
                let reasons = MutationReason.of(mutation.name, type, ofToday: true)
                let places = cell.places.prefix(3)
                #expect(reasons.count == 1, "\(mutation.name), \(type.wireName): \(places)")
            }
        }
        // The rest is true only of all mutants together.
        guard Effort.isWhole else { return }
        for stale in stale(MutationReason.ofToday, matrix) {
            Issue.record("no longer unnoticed: \(stale)")
        }
    }

    /// A well-behaved history with what today's store does.
    private static func history(seed: UInt64) throws -> [UInt8] {
        var options = SimulationOptions(events: 160, accounts: 2, days: 365)
        options.mix = .adverse
        options.store = .today
        let simulation = Simulation(options, choices: SeededChoices(seed: seed))
        var bytes: [UInt8] = []
        while try simulation.appendLine(to: &bytes) {}
        return bytes
    }

    @Test func `every mutation has its own name, and every reason names mutations`() {
        let names = Mutation.all.map(\.name)
        #expect(Set(names).count == names.count)
        for reason in MutationReason.all + MutationReason.ofToday {
            #expect(Set(reason.mutations).isSubset(of: names), "\(reason.reason)")
        }
    }

    /// The pairs of mutation and type to which reasons are needless.
    private func stale(_ reasons: [MutationReason], _ matrix: MutationMatrix) -> [String] {
        reasons.flatMap { reason in
            reason.mutations.flatMap { name -> [String] in
                guard let number = Mutation.all.firstIndex(where: { $0.name == name }) else {
                    return []
                }
                let unnoticed = matrix.cells(of: number).filter { $0.cell.unnoticed > 0 }
                if reason.types == .all { return unnoticed.isEmpty ? [name] : [] }
                return EventType.allCases.filter { type in
                    reason.types.contains(type) && !unnoticed.contains { $0.type == type }
                }
                .map { "\(name), \($0.wireName)" }
            }
        }
    }

    /// Writes the unnoticed places and the logs that no file has to a folder, for review of the
    /// reasons.
    private func report(
        _ matrix: MutationMatrix, _ name: String, _ logs: [(name: String, bytes: [UInt8])] = []
    ) throws {
        guard let path = ProcessInfo.processInfo.environment["MUTATION_PLACES"] else { return }
        let folder = URL(filePath: path)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for log in logs {
            try Data(log.bytes).write(to: folder.appending(path: "\(log.name).jsonl"))
        }
        var text = ""
        for (number, mutation) in Mutation.all.enumerated() {
            for (type, cell) in matrix.cells(of: number) where cell.unnoticed + cell.idle > 0 {
                text += "\(mutation.name) | \(type.wireName) | "
                text += "\(cell.idle) idle | \(cell.unnoticed) of \(cell.mutants) | "
                text += "\(cell.places.joined(separator: " ")) | "
                text += "\(cell.idlePlaces.joined(separator: " "))\n"
            }
        }
        try Data(text.utf8).write(to: folder.appending(path: "\(name).txt"))
    }
}
