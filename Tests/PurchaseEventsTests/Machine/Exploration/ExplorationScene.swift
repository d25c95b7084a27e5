import PurchaseEvents

/// A step that can happen in an ``Exploration``.
enum ExplorationStep: Sendable {
    /// A statement of the App Store, a server or a person, by default with the app's own account
    /// and environment.
    case says(
        Fact<Written>, as: AccountID<Written>? = nil, environment: Environment? = nil)
    /// A command of the app.
    case does(Command)
    /// Time passes from noon, when everything else happens, to midnight.
    case waits
}

extension ExplorationStep: CustomStringConvertible {
    var description: String {
        switch self {
        case .says(let fact, let account, let environment):
            [
                ExplorationStep.words(fact), account.map { "as \($0)" },
                environment.map { "in \($0)" },
            ].compactMap { $0 }.joined(separator: " ")
        case .does(let command):
            command.facts.map(ExplorationStep.words).joined(separator: ", ")
        case .waits: "midnight"
        }
    }

    private static func words(_ fact: Fact<Written>) -> String {
        let names = [
            fact.transaction?.name, fact.original?.name, fact.payment?.name, fact.product?.name,
        ]
        return ([fact.type.wireName] + names.compactMap { $0 }).joined(separator: " ")
    }
}

/// The steps of an ``Exploration`` with two transactions.
struct ExplorationScene: Sendable {
    let name: String
    /// The number of steps explored in every test run.
    let usualSteps: Int
    /// The facts stated first, which don't count as steps.
    var listing: [Fact<Written>] = []
    /// The steps of one transaction and its payment; the other transaction is passed too.
    let own: @Sendable (_ it: Entry, _ other: Entry) -> [ExplorationStep]
    /// The steps that belong to no single transaction.
    var shared: [ExplorationStep] = []

    /// A transaction and its payment.
    struct Entry: Sendable {
        let transaction: TransactionID<Written>
        let payment: PaymentID<Written>
    }

    /// The two transactions, which are mirror images of each other.
    static let entries = (
        Entry(transaction: "t1-000000", payment: "p1-000000"),
        Entry(transaction: "t2-000000", payment: "p2-000000")
    )
    /// The ending of every name of a scene, which keeps the names of many histories apart.
    static let suffix = "-000000"
    static let me: AccountID<Written> = "me-000000", you: AccountID<Written> = "you-000000"
    static let device: DeviceID<Written> = "phone-000000"

    private static let coins: ProductID<Written> = "coins-000000"
    private static let level: ProductID<Written> = "level-000000"
    private static let news: ProductID<Written> = "news-000000"
    private static let original: TransactionID<Written> = "t0-000000"

    static let all = [
        consumable, hosted, restored, subscription, payments, unlisted, accounts, trials,
    ]

    /// The app's steps for a purchased transaction.
    private static func handling(_ it: Entry, in store: PersistentStore) -> [ExplorationStep] {
        [
            .does(.deliver(it.transaction)), .does(.persist(it.transaction, in: store)),
            .does(.finish(.transaction(it.transaction))),
            .does(.withdraw(it.transaction, because: .refunded)),
        ]
    }

    private static let consumable = ExplorationScene(
        name: "consumable", usualSteps: 6, listing: [Say.listed(coins, .consumable)],
        own: { it, _ in
            handling(it, in: .server) + [
                .says(Say.purchased(it.transaction, coins, quantity: 2)),
                .does(.deliver(it.transaction, quantity: 1)),
                .says(Say.refunded(it.transaction)),
                .says(.cancellationReversed(transaction: it.transaction)),
            ]
        }, shared: [.does(.launch), .does(.consume(coins))])

    private static let hosted = ExplorationScene(
        name: "hosted", usualSteps: 6, listing: [Say.listed(level, .nonConsumable, hosted: true)],
        own: { it, _ in
            handling(it, in: .receipt)
                + [DownloadState.active, .failed, .finished, .cancelled].map {
                    .does(.download(Say.download(it.transaction, $0)))
                } + [
                    .says(Say.purchased(it.transaction, level)),
                    .does(.install(it.transaction, in: .caches)),
                ]
        }, shared: [.does(.launch)])

    private static let restored = ExplorationScene(
        name: "restored", usualSteps: 4, listing: [Say.listed(level, .nonConsumable)],
        own: { it, other in
            handling(it, in: .receipt) + [
                .says(Say.purchased(it.transaction, level)),
                .says(Say.restored(it.transaction, of: other.transaction, level)),
                .says(Say.row(it.transaction, level)), .says(Say.refunded(it.transaction)),
            ]
        }, shared: [.does(.launch), .does(.restore(by: .user)), .does(.select(coins))])

    private static let subscription = ExplorationScene(
        name: "subscription", usualSteps: 5, listing: [Say.listed(news, .autoRenewable)],
        own: { it, _ in
            handling(it, in: .receipt) + [
                .says(
                    Say.purchased(it.transaction, news, original: original, at: 6, until: 18)),
                .says(Say.refunded(it.transaction, at: 8)),
                .says(
                    Say.row(
                        it.transaction, news, original: original, at: 6, until: 18,
                        cancelledAt: 10, upgraded: true)),
            ]
        },
        shared: [
            .waits, .does(.open("may-000000")),
            .says(
                .renewalFailed(
                    .init(
                        original: original, retrying: true, graceExpiresAt: History.hour(48)))),
        ])

    private static let payments = ExplorationScene(
        name: "payments", usualSteps: 4, listing: [Say.listed(coins, .consumable)],
        own: { it, _ in
            [
                .does(.request(.init(payment: it.payment, product: coins))),
                .says(.queuePurchasing(payment: it.payment)),
                .says(.queueDeferred(payment: it.payment)), .says(Say.failed(it.payment)),
                .does(.finish(.payment(it.payment))),
                .says(Say.purchased(it.transaction, coins, payment: it.payment)),
                .does(.deliver(it.transaction)), .does(.persist(it.transaction, in: .server)),
                .does(.finish(.transaction(it.transaction))),
            ]
        }, shared: [.does(.launch), .says(.paymentRestricted), .says(.paymentAllowed)])

    private static let unlisted = ExplorationScene(
        name: "unlisted", usualSteps: 8,
        own: { it, _ in
            handling(it, in: .server) + [
                .says(Say.purchased(it.transaction, coins)),
                .does(.deliver(it.transaction, quantity: 1)),
            ]
        },
        shared: [
            .does(.launch), .says(Say.listed(coins, .consumable)),
            .says(Say.listed(coins, .nonConsumable)), .does(.open("may-000000")),
        ])

    private static let accounts = ExplorationScene(
        name: "accounts", usualSteps: 5, listing: [Say.listed(level, .nonConsumable)],
        own: { it, other in
            handling(it, in: .receipt) + [
                .says(Say.purchased(it.transaction, level), as: you),
                .says(Say.restored(it.transaction, of: other.transaction, level)),
                .says(.accountLinked(.init(original: it.transaction))),
                .says(.accountLinked(.init(original: it.transaction)), as: you),
            ]
        }, shared: [.does(.open("may-000000"))])

    private static let trials = ExplorationScene(
        name: "trials", usualSteps: 5, listing: [Say.listed(level, .nonConsumable)],
        own: { it, _ in
            handling(it, in: .receipt) + [
                .says(Say.purchased(it.transaction, level)),
                .says(Say.purchased(it.transaction, level), environment: .sandbox),
                .says(.deliveryValidated(.init(transaction: it.transaction, outcome: .valid))),
                .says(.deliveryValidated(.init(transaction: it.transaction, outcome: .invalid))),
            ]
        }, shared: [.does(.launch), .does(.open("may-000000"))])
}
