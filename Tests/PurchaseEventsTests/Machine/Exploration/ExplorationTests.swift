import Foundation
import TestSupport
import Testing

/// Explores every history of two transactions up to a bound: no rule reports what `decide` allows,
/// and every open entry can be finished.
struct ExplorationTests {
    /// The maximum number of steps; a step is an event or a launch (two events).
    ///
    /// `EXPLORATION_EVENTS` sets another bound, for release builds, and makes the rules check every
    /// step taken instead of only the shortest history of each state.
    private static let bound = ProcessInfo.processInfo.environment["EXPLORATION_EVENTS"]
        .flatMap { Int($0) }

    @Test func `no rule reports what decide allows, and what is open can be finished`() throws {
        let fewer = Effort.of(whole: 0, part: 1)
        var golden = ""
        for scene in ExplorationScene.all {
            let exploration = try Exploration(scene)
            try exploration.explore(steps: ExplorationTests.bound ?? scene.usualSteps - fewer)
            let errors = try exploration.errors(ofEveryStep: ExplorationTests.bound != nil)
            #expect(exploration.stuck.isEmpty, "\(exploration.stuck.prefix(3))")
            #expect(errors.isEmpty, "\(errors.count): \(errors.prefix(3))")
            let figures = "\(exploration.states) states, \(exploration.edges) edges"
            golden += "\(scene.name): \(figures), depth \(exploration.depth)\n"
            print("\(scene.name): \(figures), depth \(exploration.depth)")
        }
        let bound =
            ExplorationTests.bound.map(String.init) ?? Effort.of(whole: "usual", part: "short")
        try expectGolden(golden, "machine/exploration-\(bound).txt")
    }
}
