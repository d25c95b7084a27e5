import Foundation
import PurchaseEvents
import TestSupport
import Testing

/// Whatever stops a writer at any point: every acknowledged event is there, and nothing that wasn't
/// requested.
///
/// `CRASH_STATES=100000 swift test --filter CrashTests` examines that many states.
struct CrashTests {
    /// The factor by which more states than usual are examined.
    private static let factor: Int = {
        let text = ProcessInfo.processInfo.environment["CRASH_STATES"] ?? ""
        return max(1, (Int(text) ?? 0) / 5_000)
    }()

    private static let tells = ProcessInfo.processInfo.environment["CRASH_STATES"] != nil

    @Test(arguments: CrashScript.all)
    func `a crash after any call loses no acknowledged event`(_ script: CrashScript) {
        var harness = CrashHarness(script)
        harness.crashEverywhere(times: 4 * CrashTests.factor, seed: 1)
        #expect(harness.problem == nil)
        if CrashTests.tells {
            print("\(script): \(harness.states) states, \(harness.different) differ")
        }
        #expect(harness.states >= 450 * CrashTests.factor, "\(harness.states) states")
    }

    @Test(arguments: CrashScript.all)
    func `a crash during recovery loses nothing`(_ script: CrashScript) {
        for round in 0..<CrashTests.factor {
            var harness = CrashHarness(script)
            harness.crashInRecovery(every: 6, seed: UInt64(round) + 2)
            #expect(harness.problem == nil)
            if CrashTests.tells {
                print("\(script): \(harness.states) states, \(harness.different) differ")
            }
            #expect(harness.states >= 200, "\(harness.states) states")
        }
    }

    @Test(arguments: CrashScript.all)
    func `any call may fail, once or permanently`(_ script: CrashScript) {
        var harness = CrashHarness(script)
        harness.failEverywhere(errorsEach: CrashTests.factor, seed: 3)
        #expect(harness.problem == nil)
        if CrashTests.tells {
            print("\(script): \(harness.states) states, \(harness.different) differ")
        }
        #expect(harness.states >= 200 * CrashTests.factor, "\(harness.states) states")
    }

    @Test(arguments: CrashScript.all)
    func `a second writer is refused`(_ script: CrashScript) {
        var harness = CrashHarness(script)
        harness.openTwice()
        #expect(harness.problem == nil)
    }

    @Test(arguments: SeededBug.allCases)
    func `every seeded bug is detected`(_ bug: SeededBug) {
        for script in CrashScript.all {
            var harness = CrashHarness(script, bug: bug)
            switch bug.place {
            case .anywhere: harness.crashEverywhere(times: 2, seed: 4)
            case .failures: harness.failEverywhere(errorsEach: 1, seed: 5)
            case .recovery: harness.crashInRecovery(every: 2, seed: 6)
            case .lock: harness.openTwice()
            }
            guard let problem = harness.problem else { continue }
            if CrashTests.tells { print("\(bug): \(problem)") }
            return
        }
        Issue.record("\(bug) isn't found out")
    }
}
