import PurchaseProjections

struct ReportLimits {
    var rules: [any Rule.Type]
    var input = LogArguments()
    var accounts: Int?

    static let defaultAccounts = 200
    /// The number of lines up to which accounts without findings are drawn by default.
    static let smallLog = 10_000
    /// The number of lines up to which states are kept line by line.
    static let steppedLines = 2_000
    /// The maximum number of findings on a page; all are counted.
    static let findings = 5_000
    static let diagnostics = 200
    /// The maximum numbers of lines drawn on a page and in one picture.
    static let marks = 7_000, marksPerPicture = 300
    /// The maximum numbers of subscriptions in a picture and of spans in a subscription.
    static let subscriptions = 12, spans = 120
}
