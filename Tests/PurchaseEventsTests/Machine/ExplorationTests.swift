import PurchaseEvents
import Testing

/// Every history of one or two purchases up to a bound: what the app is allowed to do is taken in,
/// and whatever happened, an open entry can be finished.
@Suite struct ExplorationTests {
    private static let statements: [Fact<Written>] = [
        Say.purchased("t1", quantity: 2), Say.restored("t2", of: "t1", "coins"),
        Say.refunded("t1"), .cancellationReversed(transaction: "t1"),
        .deliveryValidated(.init(transaction: "t1", outcome: .invalid)),
        Say.listed("coins", .consumable), Say.listed("coins", .nonConsumable, hosted: true),
        .appLaunched,
    ]

    private static let commands: [Command] =
        ["t1", "t2"].flatMap { id -> [Command] in
            [
                .deliver(id, quantity: 1), .persist(id, in: .server), .finish(.transaction(id)),
                .download(Say.download(id, .active)), .withdraw(id, because: .refunded),
            ]
        } + [.launch]

    /// Commands that take a refusal of a finish out of the way, in the order of trying.
    private func remedies(
        _ refusal: Refusal, _ id: TransactionID<Written>
    ) -> [Command] {
        switch refusal {
        case .notObserved: [.launch]
        case .downloading: [.download(Say.download(id, .cancelled))]
        case .undelivered, .deliveredInPart: [.deliver(id), .withdraw(id, because: .refunded)]
        case .unpersisted: [.persist(id, in: .server)]
        case .isACommand, .untrustedSource, .restricted, .quantityNotSane, .unpaid, .notAtItsEnd,
            .finishedAlready, .afterFinish, .otherEnvironment, .invalid, .refunded,
            .otherAccount, .otherOwner, .deliveredAlready, .tooMany, .downloadEnded, .stillOwed,
            .notEntitled, .publishedOutsidePeriods, .nothingLeft:
            []
        }
    }

    /// Whether the app can finish a transaction by its own acts.
    private func canFinish(_ id: TransactionID<Written>, from history: History) -> Bool {
        var history = history
        for _ in 0..<8 {
            guard let refusal = history.refusals(of: .finish(.transaction(id))).first else {
                return true
            }
            let allowed = remedies(refusal, id).first { history.refusals(of: $0).isEmpty }
            guard let allowed, (try? history.perform(allowed)) != nil else { return false }
        }
        return false
    }

    @Test func `from every state that the app can reach an open entry can be finished`() {
        var frontier = [History()]
        var seen: Set<PurchaseState<Written>> = [History().state]
        for _ in 0..<5 {
            var next: [History] = []
            for history in frontier {
                for following in followers(of: history)
                where seen.insert(following.state).inserted {
                    next.append(following)
                    for id: TransactionID<Written> in ["t1", "t2"] {
                        let phase = following.state.phase(of: id)
                        guard phase.isInQueue, !phase.wasFinished else { continue }
                        let finishes = canFinish(id, from: following)
                        let told = following.events.map(\.type.wireName)
                        #expect(finishes, "\(id) after \(told)")
                    }
                }
            }
            frontier = next
        }
        #expect(seen.count > 1_000)
    }

    private func followers(of history: History) -> [History] {
        var all: [History] = []
        for fact in ExplorationTests.statements {
            let event = history.event(fact)
            guard !history.state.forbids(event) else { continue }
            var following = history
            following.take(event)
            all.append(following)
        }
        for command in ExplorationTests.commands {
            guard let facts = try? decide(command, history.state, now: history.now) else {
                continue
            }
            var following = history
            for fact in facts {
                let event = following.event(fact)
                #expect(!following.state.forbids(event), "\(command)")
                following.take(event)
            }
            all.append(following)
        }
        return all
    }
}
