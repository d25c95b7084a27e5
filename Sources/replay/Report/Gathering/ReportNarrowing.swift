import PurchaseEvents
import PurchaseProjections

/// What a report is asked to show.
struct ReportNarrowing {
    var rules: [any Rule.Type]
    var account: String?
    var stop = ReadingStop.never
    /// The instant at which subscriptions and states are true; `nil` for the latest time.
    var instant: Timestamp?
    /// The largest number of accounts to draw; `nil` for the default.
    var accounts: Int?
    var threads: Int?

    /// The largest number of accounts that are drawn by default.
    static let defaultAccounts = 200
    /// The largest number of lines for which accounts without findings are drawn by default.
    static let smallLog = 10_000
    /// The largest number of lines whose states are kept one by one.
    static let steppedLines = 2_000
    /// The largest number of findings on a page; all are counted.
    static let findings = 5_000
    /// The largest number of lines that were not understood on a page; all are counted.
    static let diagnostics = 200
    /// The largest numbers of lines drawn on a page and in one picture.
    static let marks = 7_000, marksPerPicture = 300
    /// The largest numbers of subscriptions in a picture and of spans in a subscription.
    static let subscriptions = 12, spans = 120
}
