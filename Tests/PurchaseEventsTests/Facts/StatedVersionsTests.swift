import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections
import PurchaseSimulation

struct StatedVersionsTests {
    /// Compares with a dictionary, for few and for many versions.
    @Test(arguments: [1, 2, 3, 40])
    func `each field has its latest version`(_ versionCount: Int64) {
        let choices = SeededChoices(seed: UInt64(versionCount))
        for _ in 0..<50 {
            var (here, elsewhere) = (StatedVersions(), RareFacts())
            var expected: [StatedField: VersionID] = [:]
            for _ in 0..<60 {
                let field = choices.pick(StatedField.allCases)
                let version = VersionID(
                    index: UInt32(1 + choices.choose(below: versionCount)))
                if !here.note(version, of: field) { elsewhere.note(version, of: field) }
                expected[field] = version
                for field in StatedField.allCases {
                    let place = here.place(of: field)
                    let known =
                        place == .elsewhere
                        ? elsewhere.version(of: field) : here.version(at: place)
                    #expect(known == expected[field] ?? VersionID())
                    #expect(here.has(field) == (expected[field] != nil))
                    #expect(versionCount > 2 || place != .elsewhere)
                }
            }
        }
    }
}
