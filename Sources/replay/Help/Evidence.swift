/// What a rule rests on, in words: the facts of Apple's In-App Purchase guide by number, the themes
/// of incidents that apps had in public, and the format of the log.
enum Evidence {
    /// The sentence of a fact or theme such as `G4.7` or `I1`; `nil` for another text.
    static func words(_ code: String) -> String? { guide[code] ?? themes[code] }

    private static let guide = products.merging(delivery) { first, _ in first }
        .merging(subscriptions) { first, _ in first }
        .merging(restores) { first, _ in first }

    private static let products = [
        "G1.1":
            "There are four kinds of product: consumable, non-consumable, auto-renewable and "
            + "non-renewing.",
        "G1.2":
            "The kind decides how often a product is bought, whether the receipt keeps it, and "
            + "who restores it.",
        "G1.3": "A product belongs to one app on one platform.",
        "G1.4": "The app itself works out when a non-renewing subscription ends.",
        "G2.1": "The app knows its product identifiers from a list of its own or from its server.",
        "G2.2":
            "A products request answers with valid products and invalid identifiers; only valid "
            + "ones are sold.",
        "G2.3": "The store is shown only where the user may pay.",
        "G2.4": "A price is shown in the product's own currency, never converted.",
        "G3.1": "A payment names a product and a quantity, which is 1 if not said.",
        "G3.2":
            "A payment that is added to the queue twice is charged twice and delivered twice.",
        "G3.3": "Each payment request comes back as one transaction that must be processed.",
        "G3.4":
            "A payment carries a one-way hash of the app's account, never an account name or an "
            + "Apple ID.",
        "G3.5": "One account of the app that pays from many App Store accounts is irregular.",
    ]

    private static let delivery = [
        "G4.1":
            "The observer is registered at launch and is ready for any transaction at any time.",
        "G4.2":
            "A purchasing or deferred transaction waits, a failed one is finished, a purchased "
            + "or restored one is delivered.",
        "G4.3": "Transactions change state in any order, and the app must cope with any of them.",
        "G4.4":
            "An unfinished transaction stays in the queue and is presented at every launch until "
            + "it is finished.",
        "G4.5": "The observer hears when a transaction leaves the queue.",
        "G4.6": "A restore ends in one of two calls: completed, or failed with an error.",
        "G4.7":
            "Before a finish, the purchase is persisted, its content is downloaded, and the user "
            + "has the product.",
        "G4.8": "Every transaction is finished, whether it succeeded or failed.",
        "G4.9":
            "After a finish nothing more is done with the transaction: no delivery, no download.",
        "G4.10":
            "Finishing early and tracking the rest by other means is an error: hosted downloads "
            + "become impossible.",
        "G4.11":
            "The kind decides where a purchase may be persisted; the app's own server fits every "
            + "kind.",
        "G4.12":
            "The user can't edit a stored receipt, but can edit a plain value in the defaults.",
        "G4.13":
            "A consumable leaves the receipt after it is finished; every other purchase stays in "
            + "it for ever.",
        "G4.14":
            "What is unlocked is recomputed from the persistent record at every launch and after "
            + "every purchase.",
        "G4.15": "Content comes with the app, from Apple, or from the app's own server.",
        "G4.16":
            "A transaction with content that Apple hosts carries downloads, whose state decides "
            + "what is done.",
        "G4.17": "A failed download is shown with its error, and may be dropped or resumed.",
        "G4.18": "Downloaded files lie in the caches: the app moves them or may lose them.",
        "G4.19": "A server validates the receipt before it answers with content.",
    ]

    private static let subscriptions = [
        "G6.1":
            "Active periods come from the rows of the receipt, never from a purchase date plus a "
            + "duration.",
        "G6.2": "A lapse shows where one row's end is before the next row's purchase date.",
        "G6.3":
            "The user may read what was published in an active period, and the newest issue at "
            + "its start.",
        "G6.4":
            "An issue that appears during a lapse is not readable, though the one at the next "
            + "start is.",
        "G6.5":
            "A downgrade takes effect at the next renewal; a subscriber has one plan of a group.",
        "G6.6":
            "The store tries to renew before the end, and up to 60 days after a billing problem.",
        "G6.7": "A renewal after a lapse starts a new monthly date.",
        "G6.8": "A renewal adds a transaction to the queue, to be finished like any other.",
        "G6.9":
            "A purchase that customer support cancelled counts as never made; turning renewal "
            + "off takes nothing that is paid.",
        "G6.10": "An app may look at the current period only, or at all past ones.",
        "G7.1":
            "The store sends a notification again until it is accepted: expect duplicates and "
            + "gaps.",
        "G7.2": "A notification carries a shared secret, and one without it proves nothing.",
        "G7.3": "The type of a notification says what changed.",
        "G7.4":
            "A notification tells the state when it was sent; the validated receipt is the "
            + "authority.",
    ]

    private static let restores = [
        "G8.1": "Restoring is the user's act, never automatic.",
        "G8.2": "A refresh gives the newest receipt and makes no transaction.",
        "G8.3": "A restore makes a new transaction for each finished one, and names the original.",
        "G8.4":
            "The user chooses which hosted content is downloaded again; other restored "
            + "transactions are finished at once.",
        "G8.5":
            "Buying again what is owned makes an ordinary transaction and charges nothing.",
        "G8.6": "A restore passes the same account that the payments carried.",
        "G8.7": "The user controls how much is downloaded again.",
        "G8.8":
            "A restored purchase has the date of the restore and, as its original, that of the "
            + "purchase.",
        "G9.1":
            "A server validates against production first, and then against the test environment.",
        "G9.2": "In the test environment subscriptions renew fast, and at most six times a day.",
        "G9.3": "A test user's purchases never count as production purchases.",
    ]

    private static let themes = [
        "format": "The format of the log says so: what a line's position, time and id mean.",
        "I1": "Apps finished before they delivered, then crashed: nothing was left to retry.",
        "I2":
            "Users were charged and told that it failed, or never told; an approval arrived "
            + "without a request.",
        "I3":
            "Entries were never finished: the product was blocked, or everything came back at "
            + "each launch.",
        "I4":
            "Apps delivered twice, with two observers for one purchase, or counted two purchases "
            + "as one.",
        "I5":
            "Apps took a deferred payment for an error or a purchase, or believed an unverified "
            + "one.",
        "I6":
            "Restores found nothing and counted as done, or brought new identifiers that nobody "
            + "tied to the original.",
        "I7": "The wrong account got the purchase, after a restore or with an old token.",
        "I8":
            "A refund was swallowed, or took away what another purchase still grants; grace was "
            + "read as the end.",
        "I9": "Evidence was stale: a purchase was missing from the receipt just fetched.",
        "I10": "Test receipts counted in production, and the other way round.",
        "I11": "Notifications came late, twice, out of order, or of a kind that nobody knew.",
    ]
}
