import PurchaseEvents

/// A history for a refusal, and a command to which only this refusal applies.
struct RefusalSample {
    var facts: [Fact<Written>]
    /// The session of the command.
    var session = Session()
    /// The session that recorded the facts, if different.
    var recorder: Session?
    /// The account that recorded the restored transaction, if different again.
    var restorer: AccountID<Written>?
    var command: Command

    var history: History {
        var history = History()
        history.session = recorder ?? session
        for fact in facts {
            history.happens(fact, as: fact.type == .queueRestored ? restorer : nil)
        }
        history.session = session
        return history
    }
}

extension RefusalSample {
    private static let level = Say.listed("level", .nonConsumable)
    private static let bought = Say.purchased("t1", "level")
    private static let given = Say.delivered("t1")
    private static let kept = Fact<Written>.deliveryPersisted(
        .init(transaction: "t1", store: .userDefaults))
    private static let finish = Command.finish(.transaction("t1"))
    private static let alice = AccountID<Written>("alice")

    /// The samples; refusals of recording have none, because they apply to no command.
    static let all = ofFinishing.merging(ofDelivering) { $1 }.merging(ofTheRest) { $1 }

    private static let ofFinishing: [Refusal: RefusalSample] = [
        .notObserved: .init(facts: [level, bought, given, kept, .appLaunched], command: finish),
        .notAtItsEnd: .init(
            facts: [Say.requested("p1"), .queueDeferred(payment: "p1")],
            command: .finish(.payment("p1"))),
        .finishedAlready: .init(
            facts: [level, bought, given, kept, Say.finished("t1")], command: finish),
        .downloading: .init(
            facts: [level, bought, .deliveryDownload(Say.download("t1", .failed)), given, kept],
            command: finish),
        .undelivered: .init(facts: [level, bought, kept], command: finish),
        .deliveredInPart: .init(
            facts: [
                Say.listed("coins", .consumable), Say.purchased("t1", quantity: 3),
                Say.delivered("t1", quantity: 2), kept,
            ], command: finish),
        .unpersisted: .init(facts: [level, bought, given], command: finish),
    ]

    private static let ofDelivering: [Refusal: RefusalSample] = [
        .unpaid: .init(facts: [], command: .deliver("t1")),
        .afterFinish: .init(
            facts: [level, bought, given, kept, Say.finished("t1")],
            command: .persist("t1", in: .server)),
        .otherEnvironment: .init(
            facts: [level, bought], session: Session(environment: .production),
            recorder: Session(environment: .sandbox), command: .deliver("t1")),
        .invalid: .init(
            facts: [
                level, bought, .deliveryValidated(.init(transaction: "t1", outcome: .invalid)),
            ], command: .deliver("t1")),
        .refunded: .init(facts: [level, bought, Say.refunded("t1")], command: .deliver("t1")),
        .otherAccount: .init(
            facts: [level, bought], session: Session(account: "bob"),
            recorder: Session(account: alice), command: .deliver("t1")),
        .otherOwner: .init(
            facts: [
                level, .accountLinked(.init(original: "t1")), .restoreRequested(by: .user),
                Say.restored("t2", of: "t1"),
            ], recorder: Session(account: alice), restorer: "bob", command: .deliver("t2")),
        .deliveredAlready: .init(facts: [Say.purchased("t1"), given], command: .deliver("t1")),
        .tooMany: .init(
            facts: [Say.purchased("t1", quantity: 3), Say.delivered("t1", quantity: 2)],
            command: .deliver("t1", quantity: 2)),
        .endsTooSoon: .init(
            facts: [Say.purchased("t1", "pass", at: 4)],
            command: .deliver("t1", until: History.hour(4))),
        .downloadEnded: .init(
            facts: [level, bought, .deliveryDownload(Say.download("t1", .cancelled))],
            command: .download(Say.download("t1", .active))),
    ]

    private static let ofTheRest: [Refusal: RefusalSample] = [
        .restricted: .init(
            facts: [.paymentRestricted], command: .request(.init(payment: "p1", product: "coins"))),
        .quantityNotSane: .init(
            facts: [level], command: .request(.init(payment: "p1", product: "level", quantity: 2))),
        .stillOwed: .init(
            facts: [level, bought, given], command: .withdraw("t1", because: .other)),
        .notEntitled: .init(facts: [], command: .open("may")),
        .publishedOutsidePeriods: .init(
            facts: [Say.row("t1", "news", at: 0, until: 4), Say.issue("may", at: 5)],
            command: .open("may")),
        .nothingLeft: .init(
            facts: [Say.listed("coins", .consumable), Say.purchased("t1"), given],
            command: .consume("coins", quantity: 2)),
    ]
}
