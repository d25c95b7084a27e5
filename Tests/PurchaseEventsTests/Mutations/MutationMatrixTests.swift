import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// Each rule against each mutation of each valid log.
@Suite struct MutationMatrixTests {
    private static let files = Folders.files(in: Folders.events.appending(path: "valid"), "jsonl")

    /// Rules of level error that no mutation puts at fault, each with the reason.
    private static let withoutKill: [String: String] = [:]

    @Test func `every mutation is noticed, or there is a reason why not`() async throws {
        let matrix = try await MutationMatrix.build(MutationMatrixTests.files)
        try report(matrix)
        #expect(matrix.falseFindings.isEmpty)
        #expect(matrix.misunderstood.isEmpty)
        for (number, mutation) in Mutation.all.enumerated() {
            let cells = matrix.cells(of: number)
            #expect(!cells.isEmpty, "no place for: \(mutation.name)")
            for (type, cell) in cells where cell.unnoticed > 0 {
                #expect(
                    MutationReason.of(mutation.name, type) != nil,
                    "\(mutation.name), \(type.wireName): \(cell.unnoticed) of \(cell.mutants)")
            }
        }
        for (index, rule) in RuleCatalogue.all.enumerated() where rule.level == .error {
            let isKiller = matrix.kills(of: index) > 0
            #expect(isKiller != (MutationMatrixTests.withoutKill[rule.id] != nil), "\(rule.id)")
        }
        try expectGolden(matrix.text, "mutations.txt")
    }

    @Test func `mutations and reasons are named once, and every reason is of a mutation`() {
        let names = Mutation.all.map(\.name)
        #expect(Set(names).count == names.count)
        for reason in MutationReason.all {
            #expect(reason.mutations.isSubset(of: names), "\(reason.reason)")
        }
    }

    private func report(_ matrix: MutationMatrix) throws {
        guard let path = ProcessInfo.processInfo.environment["MUTATION_PLACES"] else { return }
        var text = ""
        for (number, mutation) in Mutation.all.enumerated() {
            for (type, cell) in matrix.cells(of: number) where cell.unnoticed + cell.idle > 0 {
                text += "\(mutation.name) | \(type.wireName) | "
                text += "\(cell.idle) idle | \(cell.unnoticed) of \(cell.mutants) | "
                text += "\(cell.places.joined(separator: " ")) | "
                text += "\(cell.idlePlaces.joined(separator: " "))\n"
            }
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }
}
