import PurchaseProjections
import TestSupport

@testable import PurchaseEvents

/// Explores every history of a scene up to a bound, breadth first, with the `decide` and `evolve`
/// of a ledger; known states are left out.
///
/// Two states are the same if they differ only by exchanging the two transactions. So each history
/// is also applied with the transactions exchanged, and a state is identified by both results.
final class Exploration {
    private typealias State = PurchaseState<Fingerprinted>

    private struct Node {
        var state = State()
        /// The state of the same history with the transactions exchanged.
        var mirror = State()
        var isLate = false
        var place = 0
    }

    private struct Step {
        var parent: Int
        var action: Int
    }

    let scene: ExplorationScene
    /// The tree of shortest histories: the previous state and the step of each state.
    private var tree: [Step] = []
    private var isLeaf: [Bool] = []
    /// The steps that led to known states.
    private var others: [Step] = []
    /// The 64-bit hashes of the states found; each run has its own seed.
    private var seen: Set<Int> = []
    private let actions: [ExplorationAction]
    private var remedies: [String: [Event<Fingerprinted>]] = [:]

    /// The number of states found, counting mirror images once.
    var states: Int { tree.count }
    /// The number of steps taken, to known or new states.
    private(set) var edges = 0
    /// The number of steps to the farthest state.
    private(set) var depth = 0
    /// The histories after which an open entry can't be finished.
    private(set) var stuck: [String] = []

    init(_ scene: ExplorationScene) throws {
        self.scene = scene
        let (first, second) = ExplorationScene.entries
        let steps = scene.own(first, second) + scene.own(second, first) + scene.shared
        actions = try steps.map { try ExplorationAction($0) }
        own = scene.own(first, second).count
    }

    private let own: Int

    /// The step with the transactions exchanged.
    private func mirrored(_ action: Int) -> ExplorationAction {
        if action < own { return actions[action + own] }
        return action < 2 * own ? actions[action - own] : actions[action]
    }

    // MARK: Exploring

    func explore(steps: Int) throws {
        var start = Node()
        for fact in scene.listing {
            for event in try ExplorationAction(.says(fact)).events(isLate: false) {
                start.state.evolve(event)
                start.mirror.evolve(event)
            }
        }
        tree = [Step(parent: 0, action: 0)]
        isLeaf = [true]
        seen = [key(start.state, start.isLate)]
        var frontier = [start]
        while !frontier.isEmpty, depth < steps {
            var next: [Node] = []
            for node in frontier {
                for action in actions.indices { take(action, from: node, &next) }
            }
            if !next.isEmpty { depth += 1 }
            frontier = next
        }
    }

    private func take(_ action: Int, from node: Node, _ next: inout [Node]) {
        guard allows(actions[action], node) else { return }
        edges += 1
        var following = node
        if case .waits = actions[action].step { following.isLate = true }
        for event in actions[action].events(isLate: following.isLate) {
            following.state.evolve(event)
        }
        guard seen.insert(key(following.state, following.isLate)).inserted else {
            others.append(Step(parent: node.place, action: action))
            return
        }
        for event in mirrored(action).events(isLate: following.isLate) {
            following.mirror.evolve(event)
        }
        seen.insert(key(following.mirror, following.isLate))
        following.place = tree.count
        isLeaf[node.place] = false
        isLeaf.append(true)
        tree.append(Step(parent: node.place, action: action))
        next.append(following)
        findStuck(following)
    }

    private func key(_ state: State, _ isLate: Bool) -> Int {
        var hasher = Hasher()
        hasher.combine(state)
        hasher.combine(isLate)
        return hasher.finalize()
    }

    private func allows(_ action: ExplorationAction, _ node: Node) -> Bool {
        switch action.step {
        case .says:
            let events = action.events(isLate: node.isLate)
            return !events.contains { event in
                node.state.forbids(event) || (try? admit(event, node.state)) == nil
            }
        case .does(let command): return refusals(of: command, node.state, node.isLate).isEmpty
        case .waits: return !node.isLate
        }
    }

    private func refusals(
        of command: Command, as account: AccountID<Written> = ExplorationScene.me,
        _ state: State, _ isLate: Bool
    ) -> [Refusal] {
        state.refusals(
            of: command, by: Session(account: account, device: ExplorationScene.device),
            now: ExplorationAction.time(isLate: isLate), .asFingerprints())
    }

    // MARK: Finishing

    /// Every open entry must be such that the app's own acts can finish it, for any account. An
    /// entry presented again after its finish is the store's fault and may stay open.
    private func findStuck(_ node: Node) {
        let (first, second) = ExplorationScene.entries
        for entry in [first, second] {
            let phase = node.state.phase(of: NameConversion.asFingerprints()(entry.transaction))
            if phase.isInQueue, !phase.wasFinished,
                !finishes(entry, node.state, node.isLate)
            {
                stuck.append("\(entry.transaction) \(history(of: node.place))")
            }
            let payment = node.state.payments[NameConversion.asFingerprints()(entry.payment)]
            if payment?.unfinishedFailures ?? 0 > 0 {
                let finish = Command.finish(.payment(entry.payment))
                if refusals(of: finish, node.state, node.isLate).isEmpty { continue }
                stuck.append("\(entry.payment) \(history(of: node.place))")
            }
        }
    }

    private func finishes(
        _ entry: ExplorationScene.Entry, _ state: State, _ isLate: Bool, within steps: Int = 6
    ) -> Bool {
        let id = entry.transaction
        guard let refusal = refusals(of: .finish(.transaction(id)), state, isLate).first else {
            return true
        }
        guard steps > 0 else { return false }
        return ExplorationRemedy.steps(refusal, id).contains { step in
            if case .does(let command) = step {
                let mayAct = [ExplorationScene.me, ExplorationScene.you].contains {
                    refusals(of: command, as: $0, state, isLate).isEmpty
                }
                if !mayAct { return false }
            }
            var next = state
            for event in events(of: step) { next.evolve(event) }
            return finishes(entry, next, isLate, within: steps - 1)
        }
    }

    /// The events of a remedy don't depend on the time.
    private func events(of remedy: ExplorationStep) -> [Event<Fingerprinted>] {
        let name = "\(remedy)"
        if let known = remedies[name] { return known }
        let events = (try? ExplorationAction(remedy))?.events(isLate: true) ?? []
        remedies[name] = events
        return events
    }

    // MARK: Descriptions

    /// The steps to a state, in order.
    private func path(to place: Int) -> [Int] {
        var path: [Int] = []
        var place = place
        while place > 0 {
            path.append(tree[place].action)
            place = tree[place].parent
        }
        return path.reversed()
    }

    private func history(of place: Int) -> String { describe(path(to: place)) }

    private func describe(_ path: [Int]) -> String {
        "after " + path.map { "\(actions[$0].step)" }.joined(separator: "; ")
    }

    /// The errors that the rules report for the histories to all states or, if requested, for every
    /// step taken.
    ///
    /// Each history is a separate part of one log with names of its own.
    func errors(ofEveryStep: Bool) throws -> [String] {
        var histories = tree.indices.filter { isLeaf[$0] }.map { path(to: $0) }
        if ofEveryStep { histories += others.map { path(to: $0.parent) + [$0.action] } }
        var errors: [String] = []
        for start in stride(from: 0, to: histories.count, by: 2_000) {
            errors += try self.errors(
                of: histories[start..<min(start + 2_000, histories.count)])
        }
        return errors
    }

    private func errors(of histories: ArraySlice<[Int]>) throws -> [String] {
        let rules = RuleCatalogue.all.filter { $0.level == .error && $0.id != "sequence-unbroken" }
        let listing = try scene.listing.map { try ExplorationAction(.says($0)) }
        var log: [UInt8] = []
        var line = 1
        var starts: [(line: Int, history: Int)] = []
        try ExplorationAction(.says(.logOpened(.init(schema: 1))))
            .appendLines(isLate: false, history: 0, to: &log)
        for (number, path) in zip(histories.indices, histories) {
            starts.append((line + 1, number))
            var isLate = false
            for action in listing + path.map({ actions[$0] }) {
                if case .waits = action.step { isLate = true }
                action.appendLines(isLate: isLate, history: number, to: &log)
                line += action.events(isLate: isLate).count
            }
        }
        let findings = try check(log, rules).flatMap(\.report.findings)
        return findings.filter { $0.level == .error }.map { finding in
            let start = starts.last { $0.line <= finding.line } ?? (0, 0)
            return "line \(Int(finding.line) - start.line + 1) [\(finding.rule)] "
                + "\(finding.message) \(describe(histories[start.history]))"
        }
    }
}
