import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseProjections

/// Recording facts, performing commands, and refusals.
struct PurchaseLedgerTests {
    private let files = MemoryFiles()
    private let me = LedgerSamples.me
    private let now = History.hour(1)

    private func ledger(_ facts: Fact<Written>...) throws -> PurchaseLedger {
        let ledger = try LedgerSamples.launched(in: files)
        for fact in facts { try ledger.record(fact, by: me, now: now) }
        return ledger
    }

    private func refusal(
        of command: Command, _ ledger: PurchaseLedger
    ) -> Refusal? {
        do throws(LedgerError) {
            try ledger.perform(command, by: me, now: now)
            return nil
        } catch {
            return error.refusal
        }
    }

    @Test func `a forbidden command is refused, and nothing is written`() throws {
        let ledger = try ledger(Say.purchased("t1"))
        let size = files[LedgerSamples.path]?.count
        let finish = Command.finish(.transaction("t1"))
        #expect(refusal(of: finish, ledger) == .undelivered)
        #expect(refusal(of: .deliver("t2"), ledger) == .unpaid)
        #expect(refusal(of: .finish(.payment("p9")), ledger) == .notAtItsEnd)
        #expect(files[LedgerSamples.path]?.count == size)

        try ledger.perform(.deliver("t1"), by: me, now: now)
        #expect(refusal(of: finish, ledger) == .unpersisted)
        #expect(refusal(of: .deliver("t1"), ledger) == .deliveredAlready)
        try ledger.perform(.persist("t1", in: .server), by: me, now: now)
        try ledger.perform(finish, by: me, now: now)

        #expect(refusal(of: finish, ledger) == .finishedAlready)
        for command: Command in [
            .deliver("t1"), .persist("t1", in: .server), .install("t1", in: .caches),
            .download(Say.download("t1", .active)),
        ] {
            #expect(refusal(of: command, ledger) == .afterFinish)
        }
        try LedgerSamples.expectNoError(in: files)
    }

    @Test func `a deferred payment is neither delivered nor finished`() throws {
        let ledger = try ledger()
        try ledger.perform(
            .request(.init(payment: "p1", product: "coins")), by: me, now: now)
        try ledger.record(.queueDeferred(payment: "p1"), by: me, now: now)
        #expect(refusal(of: .finish(.payment("p1")), ledger) == .notAtItsEnd)
        #expect(try ledger.pending().map(\.next) == [.wait])
        #expect(ledger.phase(of: "p1" as PaymentID<Written>) == .deferred)
    }

    @Test func `a purchase refunded before its delivery is delivered after a reversal`() throws {
        let ledger = try ledger(Say.purchased("t1"), Say.refunded("t1", at: 1))
        #expect(try ledger.pending().map(\.next) == [.finish])
        #expect(refusal(of: .deliver("t1"), ledger) == .refunded)
        #expect(refusal(of: .finish(.transaction("t1")), ledger) == nil)
        #expect(refusal(of: .deliver("t1"), ledger) == .afterFinish)
        try ledger.record(.cancellationReversed(transaction: "t1"), by: me, now: History.hour(2))
        #expect(try ledger.pending().map(\.next) == [.deliver])
        #expect(refusal(of: .deliver("t1"), ledger) == nil)
        #expect(try ledger.pending().isEmpty)
        #expect(refusal(of: .deliver("t1"), ledger) == .afterFinish)
        try LedgerSamples.expectNoError(in: files)
    }

    @Test func `a product withdrawn before a reversal is delivered again`() throws {
        let ledger = try ledger(Say.purchased("t1"), Say.refunded("t1", at: 1))
        try ledger.perform(.withdraw("t1", because: .refunded), by: me, now: now)
        try ledger.perform(.finish(.transaction("t1")), by: me, now: now)
        try ledger.record(.cancellationReversed(transaction: "t1"), by: me, now: History.hour(2))
        #expect(try ledger.pending().map(\.next) == [.deliver])
        #expect(refusal(of: .deliver("t1"), ledger) == nil)
        #expect(refusal(of: .deliver("t1"), ledger) == .afterFinish)
        try LedgerSamples.expectNoError(in: files)
    }

    @Test func `a command is not recorded, and queue events need an observer`()
        throws
    {
        let ledger = try ledger()
        #expect(throws: LedgerError.refused(.isACommand)) {
            try ledger.record(Say.delivered("t1"), by: me, now: now)
        }
        try ledger.record(.queueUnobserved, by: me, now: now)
        #expect(throws: LedgerError.refused(.notObserved)) {
            try ledger.record(Say.purchased("t1"), by: me, now: now)
        }
        #expect(ledger.phase(of: "t1" as TransactionID<Written>) == .unseen)
    }

    @Test func `a notification with a wrong secret records nothing, not even a part`() throws {
        let ledger = try ledger(Say.purchased("t1"))
        let size = files[LedgerSamples.path]?.count
        let letter = Fact<Written>.notificationReceived(
            .init(notification: "n1", name: "CANCEL", version: 1, secret: .wrong))
        let drafts = [
            Draft(at: now, id: "n1", letter),
            Draft(at: now, id: "n1#1", source: "n1", Say.refunded("t1")),
        ]
        #expect(throws: LedgerError.refused(.untrustedSource)) { try ledger.record(drafts) }
        #expect(files[LedgerSamples.path]?.count == size)
        try ledger.record([drafts[0]])
        #expect(throws: LedgerError.refused(.untrustedSource)) { try ledger.record([drafts[1]]) }
        #expect(refusal(of: .deliver("t1"), ledger) == nil)
    }

    @Test func `the same statement twice is recorded once, whenever it comes again`() throws {
        let ledger = try ledger()
        let first = try ledger.record(Say.purchased("t1"), id: "e1", by: me, now: now)
        let second = try ledger.record(
            Say.purchased("t1"), id: "e1", by: me, now: History.hour(9))
        #expect(first.outcome == .appended)
        #expect(second.outcome == .alreadyThere)
        #expect(second.line == first.line)
        #expect(throws: LedgerError.self) {
            try ledger.record(Say.purchased("t2"), id: "e1", by: me, now: now)
        }
        #expect(try ledger.pending().map(\.presentations) == [1])
    }

    @Test func `a command with an id is done once, also after a crash`() throws {
        let ledger = try ledger(Say.purchased("t1", quantity: 3))
        let part = Command.deliver("t1", quantity: 1)
        try ledger.perform(part, id: "d1", by: me, now: now)
        ledger.close()
        let again = try LedgerSamples.open(in: files)
        let answers = try again.perform(part, id: "d1", by: me, now: now)
        #expect(answers.map(\.outcome) == [.alreadyThere])
        #expect(try again.perform(part, id: "d2", by: me, now: now)[0].outcome == .appended)
        let launch = try again.perform(.launch, id: "l1", by: me, now: now)
        #expect(launch.map(\.outcome) == [.appended, .appended])
        #expect(try again.perform(.launch, id: "l1", by: me, now: now).count == 2)
        #expect(refusal(of: .deliver("t1", quantity: 2), again) == .tooMany)
    }

    @Test func `a failed write changes nothing`() throws {
        let ledger = try ledger(Say.purchased("t1"))
        let empty = NotificationID<Written>("")
        #expect(throws: LedgerError.self) {
            try ledger.record(Say.refunded("t1"), source: empty, now: now)
        }
        files.plan { call, _ in call == .append ? .fail(28) : nil }
        #expect(throws: LedgerError.self) {
            try ledger.perform(.deliver("t1"), by: me, now: now)
        }
        files.heal()
        #expect(ledger.refusals(of: .deliver("t1"), by: me, now: now).isEmpty)
        #expect(refusal(of: .deliver("t1"), ledger) == nil)
    }

    @Test func `an earlier instant is answered by what was true then`() throws {
        let ledger = try ledger()
        try ledger.record(Say.purchased("t1", "theme", at: 5), by: me, now: History.hour(5))
        try ledger.record(Say.refunded("t1", at: 8), by: me, now: History.hour(8))
        func isActive(_ hour: Int?) throws -> [Bool] {
            try ledger.entitlements(asOf: hour.map(History.hour)).map(\.isActive)
        }
        #expect(try isActive(4) == [])
        #expect(try isActive(6) == [true])
        #expect(try isActive(9) == [false])
        #expect(try isActive(nil) == [false])
        ledger.forgetNames()
        #expect(try isActive(6) == [true])
        #expect(try ledger.entitlements(account: "another") == [])
        #expect(try ledger.entitlements(account: me.account).count == 1)
    }
}
