import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections
import PurchaseSimulation

@Suite struct StatedVersionsTests {
    /// Beside a dictionary, with few versions and with many.
    @Test(arguments: [1, 2, 3, 40])
    func `each thing has the version that was noted last`(_ versionCount: Int64) {
        let choices = SeededChoices(seed: UInt64(versionCount))
        for _ in 0..<50 {
            var (here, elsewhere) = (StatedVersions(), UncommonFacts())
            var expected: [StatedThing: VersionID] = [:]
            for _ in 0..<60 {
                let thing = choices.pick(StatedThing.allCases)
                let version = VersionID(
                    index: UInt32(1 + choices.choose(below: versionCount)))
                if !here.note(version, of: thing) { elsewhere.note(version, of: thing) }
                expected[thing] = version
                for thing in StatedThing.allCases {
                    let place = here.place(of: thing)
                    let known =
                        place == .elsewhere
                        ? elsewhere.version(of: thing) : here.version(at: place)
                    #expect(known == expected[thing] ?? VersionID())
                    #expect(here.has(thing) == (expected[thing] != nil))
                    #expect(versionCount > 2 || place != .elsewhere)
                }
            }
        }
    }
}
