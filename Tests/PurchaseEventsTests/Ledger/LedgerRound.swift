import TestSupport

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Requests of a ledger, and rounds of several requests.
enum LedgerRound {
    static let now = History.hour(1)
    static let me = LedgerSamples.me

    /// A statement.
    static func statement(_ facts: Fact<Written>..., id: String? = nil) -> AppendRequest {
        let drafts = facts.map { fact in
            Draft(at: now, id: id, account: me.account, device: me.device, fact)
        }
        return AppendRequest(drafts: drafts, decision: .statements)
    }

    /// A command.
    static func command(_ command: Command, id: String? = nil) -> AppendRequest {
        AppendRequest(
            drafts: PurchaseLedger.drafts(of: command, id: id, by: me, now: now),
            decision: .command(command, by: me, now: now))
    }

    /// Writes requests in one round.
    static func commit(
        _ requests: [AppendRequest], to ledger: PurchaseLedger
    ) -> [CommitQueue.Answer] {
        ledger.log.queue.commit(requests)
    }

    /// A purchase with everything that follows from it, each step on top of the one before, and
    /// requests that are refused or known. Each may be repeated.
    static let purchase = [
        statement(Say.purchased("t1"), id: "e1"), command(.deliver("t1"), id: "d1"),
        command(.deliver("t1")), command(.persist("t1", in: .server), id: "s1"),
        statement(Say.purchased("t0"), id: "e0"), command(.finish(.transaction("t1")), id: "f1"),
        command(.deliver("t2")),
    ]

    /// A ledger that has the known request of ``purchase``.
    static func ledger(in files: MemoryFiles) throws -> PurchaseLedger {
        let ledger = try LedgerSamples.launched(in: files)
        try ledger.record(Say.purchased("t0"), id: "e0", by: me, now: now)
        return ledger
    }

    /// A random request about one of three transactions.
    static func random(_ dice: inout Dice) -> AppendRequest {
        let id = TransactionID<Written>("t\(dice.below(3))")
        let number = dice.below(40)
        switch dice.below(12) {
        case 0: return statement(Say.purchased(id, quantity: 2), id: "e\(number)")
        case 1: return statement(Say.purchased(id, quantity: 2))
        case 2: return statement(Say.refunded(id, at: 1), id: "r\(number)")
        case 3: return statement(.cancellationReversed(transaction: id))
        case 4: return command(.deliver(id, quantity: 1), id: "d\(number)")
        case 5: return command(.persist(id, in: .server))
        case 6: return command(.finish(.transaction(id)))
        case 7: return command(.withdraw(id, because: .refunded))
        case 8: return command(.consume("coins"))
        case 9: return statement(.queueUnobserved)
        case 10: return command(.launch, id: "l\(number)")
        default: return statement(.queueUnobserved, Say.purchased(id))
        }
    }
}
