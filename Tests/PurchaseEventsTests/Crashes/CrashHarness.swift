import Foundation
import PurchaseEvents
import TestSupport

/// Runs a writer on files in memory, and examines every state that a crash or a failure leaves.
struct CrashHarness {
    /// The state after a call, and what the writer knew then.
    struct Moment: Sendable {
        var image: FileImage
        var witness: CrashScript.Witness
        var call: FileCall
    }

    /// A state with everything that the verdict on it depends on.
    private struct ExaminedState: Hashable {
        var contents: FileImage.Contents
        var witness: CrashScript.Witness
        var original: [UInt8]?
        var losesPower: Bool
    }

    let script: CrashScript
    var bug: SeededBug?
    /// The number of states examined.
    private(set) var states = 0
    /// The distinct states: many crashes leave the same state, which needs only one examination.
    private var seen: Set<ExaminedState> = []
    /// The number of distinct states.
    var different: Int { seen.count }
    /// The problem of the first bad state.
    private(set) var problem: String?

    /// The errors that each call can fail with.
    static let errors = [EIO, ENOSPC, EDQUOT, EINTR, EACCES, EROFS, EFBIG, ENOLCK]

    init(_ script: CrashScript, bug: SeededBug? = nil) {
        self.script = script
        self.bug = bug
    }

    // MARK: Crashes

    /// Crashes in each way after each call that changes anything, `times` times.
    mutating func crashEverywhere(times: Int, seed: UInt64) {
        var dice = Dice(seed: seed)
        for (number, moment) in moments().enumerated() {
            for crash in CrashKind.allCases {
                // Losing everything and losing nothing each have only one outcome.
                for _ in 0..<(crash == .kept || crash == .lost ? 1 : times) {
                    examine(
                        at: moment.image.after(crash, &dice), moment.witness,
                        "\(script): \(crash) after call \(number), \(moment.call)",
                        losesPower: crash == .kept)
                    if problem != nil { return }
                }
            }
        }
    }

    /// Crashes after each call of opening a torn log.
    mutating func crashInRecovery(every step: Int, seed: UInt64) {
        var dice = Dice(seed: seed)
        for (number, moment) in moments().enumerated() where number % step == 0 {
            for crash in [CrashKind.torn, .zeroed, .reordered] {
                let torn = moment.image.after(crash, &dice)
                for (inner, later) in recoveryMoments(of: torn, moment.witness).enumerated() {
                    let again = CrashKind.allCases[dice.below(CrashKind.allCases.count)]
                    examine(
                        at: later.image.after(again, &dice), later.witness,
                        "\(script): \(crash) after call \(number), then \(again) after call "
                            + "\(inner) of recovery, \(later.call)",
                        CrashCheck.bytes(of: MemoryFiles(torn)))
                    if problem != nil { return }
                }
            }
        }
    }

    private func moments() -> [Moment] {
        let files = MemoryFiles()
        let witness = Protected(CrashScript.Witness())
        return watch(files, witness) { script.run(on: operations(files), witness) }
    }

    private func recoveryMoments(
        of image: FileImage, _ witness: CrashScript.Witness
    ) -> [Moment] {
        let files = MemoryFiles(image)
        return watch(files, Protected(witness)) { _ = script.open(on: operations(files)) }
    }

    private func watch(
        _ files: MemoryFiles, _ witness: Protected<CrashScript.Witness>, _ body: () -> Void
    ) -> [Moment] {
        let moments = Protected<[Moment]>([])
        files.watch { call, image in
            guard call.changes || call == .open else { return }
            var image = image
            image.forgetCalls()
            let known = witness.withLock { $0 }
            moments.withLock { $0.append(Moment(image: image, witness: known, call: call)) }
        }
        body()
        files.watch(nil)
        return moments.withLock { $0 }
    }

    // MARK: Failures

    /// Makes each call fail once, each kind of call fail from then on, and all calls fail from then
    /// on.
    mutating func failEverywhere(errorsEach: Int, seed: UInt64) {
        var dice = Dice(seed: seed)
        let calm = MemoryFiles()
        script.run(on: calm, Protected(CrashScript.Witness()))
        let calls = calm.trace
        for number in calls.indices {
            for way in FailureWay.allCases {
                for _ in 0..<errorsEach {
                    let error = CrashHarness.errors[dice.below(CrashHarness.errors.count)]
                    fail(number, calls, way, error, &dice)
                    if problem != nil { return }
                }
            }
        }
    }

    enum FailureWay: CaseIterable { case once, kindFromThenOn, allFromThenOn }

    private mutating func fail(
        _ number: Int, _ calls: [FileCall], _ way: FailureWay, _ error: Int32,
        _ dice: inout Dice
    ) {
        let files = MemoryFiles()
        let kind = calls[number]
        let before = calls[..<number].count { $0 == kind }
        let total = Protected(0)
        files.plan { call, count in
            let all = total.withLock { total in
                defer { total += 1 }
                return total
            }
            let fails =
                switch way {
                case .once: call == kind && count == before
                case .kindFromThenOn: call == kind && count >= before
                case .allFromThenOn: all >= number
                }
            guard fails else { return nil }
            return call == .append && all % 2 == 0 && way == .once ? .short(7) : .fail(error)
        }
        let witness = Protected(CrashScript.Witness())
        script.run(on: operations(files), witness)
        let image = files.image
        let crashes: [CrashKind] =
            way == .allFromThenOn ? CrashKind.allCases : [.kept, .lost, .torn]
        let crash = crashes[dice.below(crashes.count)]
        examine(
            at: image.after(crash, &dice), witness.withLock { $0 },
            "\(script): call \(number), \(kind), fails \(way) with \(error), then \(crash)",
            losesPower: crash == .kept)
    }

    // MARK: Locks

    /// Starts a second writer while the first one writes.
    mutating func openTwice() {
        let files = operations(MemoryFiles())
        guard let log = script.create(on: files) else { return problem = "it can't be created" }
        states += 1
        do throws(EventLogError) {
            _ = try CrashScript.open(on: files, .refuse)
            problem = "a second writer was let in"
        } catch .inUse {
            log.close()
        } catch {
            problem = "a second writer is told \(error)"
        }
    }

    // MARK: Examining

    private func operations(_ files: MemoryFiles) -> any FileOperations {
        bug.map { BuggyFiles(files, $0) } ?? files
    }

    private mutating func examine(
        at image: FileImage, _ witness: CrashScript.Witness, _ place: String,
        _ original: [UInt8]? = nil, losesPower: Bool = false
    ) {
        states += 1
        let examine = ExaminedState(
            contents: image.contents, witness: witness, original: original,
            losesPower: losesPower)
        guard seen.insert(examine).inserted else { return }
        let check = CrashCheck(
            script: script, witness: witness, bug: bug, losesPower: losesPower)
        if let found = check.problem(of: image) ?? original.flatMap({ lost($0, in: image) }) {
            problem = "\(place): \(found)"
        }
    }

    /// Bytes of a torn log that are neither in the log nor in a file beside it.
    private func lost(_ original: [UInt8], in image: FileImage) -> String? {
        guard script.layout == .file else { return nil }
        let files = MemoryFiles(image)
        let bytes = CrashCheck.bytes(of: files)
        if bytes.starts(with: original) { return nil }
        let isKept = files.paths.contains { path in
            guard path.contains(".tail-"), !path.hasSuffix(".part"), let kept = files[path],
                kept.count <= original.count
            else { return false }
            let start = original.count - kept.count
            return Array(original[start...]) == kept
                && bytes.starts(with: original[..<min(start, bytes.count)])
                && bytes.count >= start
        }
        return isKept ? nil : "a crash in recovery lost bytes that were cut"
    }
}
