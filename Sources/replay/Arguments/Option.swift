import PurchaseImport

/// An option of a command: declared once, from which parsing and help come.
struct Option: Hashable, Sendable {
    /// The name without its dashes.
    let name: String
    /// What stands for its value in the help; `nil` for one that takes none.
    let value: String?
    /// What it does.
    let summary: String
    /// Whether it may be given more than once.
    var repeats = false
    /// The words that it takes, where the list is closed.
    var words: [String] = []

    /// The option as the help shows it.
    var usage: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
}

/// Every option there is; each command lists its own.
extension Option {
    static let help = Option(name: "help", value: nil, summary: "print this help and end")

    static let rule = Option(
        name: "rule", value: "ID",
        summary: "run this rule alone; may be repeated; a unique beginning of its id is enough",
        repeats: true)

    static let untilSeq = Option(
        name: "until-seq", value: "N",
        summary: "read up to the event of that seq: what the log knew then")

    static let until = Option(
        name: "until", value: "TIME",
        summary: "read up to the first event recorded later: what the log knew then")

    static let asOf = Option(
        name: "as-of", value: "TIME",
        summary: "answer what was true then (the greatest time of recording)")

    static let accountOfFindings = Option(
        name: "account", value: "A", summary: "keep the findings of this account alone")

    static let accountOfRows = Option(
        name: "account", value: "A", summary: "show the rows of this account alone")

    static let accountOfLines = Option(
        name: "account", value: "A", summary: "leave out lines that name another account")

    static let strict = Option(
        name: "strict", value: nil, summary: "let warnings fail too: status 1")

    static let verbose = Option(
        name: "verbose", value: nil,
        summary: "print the verdict of every rule, and how often it was put to the test")

    static let maxFindings = Option(
        name: "max-findings", value: "N",
        summary: "print the first N findings by line, 0 for all (1,000); all are counted")

    static let threads = Option(
        name: "threads", value: "N", summary: "work on N threads (as many as there are cores)")

    static let nonRenewing = Option(
        name: "non-renewing", value: "leaves|stays",
        summary: "whether a finished non-renewing subscription leaves the receipt (leaves)",
        words: ["leaves", "stays"])

    static let recordedAt = Option(
        name: "recorded-at", value: "TIME",
        summary: "when the events were recorded (the greatest date in the source)")

    static let recoveredAt = Option(
        name: "recorded-at", value: "TIME", summary: "when log.recovered is recorded (now)")

    static let dryRun = Option(
        name: "dry-run", value: nil, summary: "say what would be cut off, and change nothing")

    static let sharedSecretFile = Option(
        name: "shared-secret-file", value: "FILE",
        summary: "hold the password of notifications against the secret in this file")

    static let asKind = Option(
        name: "as", value: "KIND", summary: "take every document for one of that kind",
        words: ImportKind.allCases.map(\.rawValue))

    static let root = Option(
        name: "root", value: "FILE",
        summary: "trust the certificate in this file (DER or PEM) instead of Apple's; may be "
            + "repeated",
        repeats: true)

    static let noVerify = Option(
        name: "no-verify", value: nil, summary: "take signatures as unchecked")

    static let bundleID = Option(
        name: "bundle-id", value: "ID", summary: "leave out records that name another app")

    static let appID = Option(
        name: "app-id", value: "N",
        summary: "leave out records that name another app's identifier in the App Store")

    static let openReceipts = Option(
        name: "open-receipts", value: nil,
        summary: "read receipts within other documents too (latest_receipt, receipt-data)")

    static let checkpoint = Option(
        name: "checkpoint", value: "FILE",
        summary: "hold the log against a checkpoint that `replay seal` printed")

    static let expectHead = Option(
        name: "expect-head", value: "HEX",
        summary: "expect a line with this chain value, which was its head before")

    static let seed = Option(
        name: "seed", value: "N", summary: "what chance begins with: equal seeds, equal bytes (1)")

    static let events = Option(
        name: "events", value: "N", summary: "how many events the log has (1,000)")

    static let accounts = Option(
        name: "accounts", value: "N", summary: "how many accounts there are at most (events / 100)")

    static let days = Option(
        name: "days", value: "N", summary: "how many days the log covers, roughly (365)")

    static let start = Option(
        name: "start", value: "TIME", summary: "when the log begins (2026-01-01)")

    static let faults = Option(
        name: "faults", value: "NAME,…",
        summary: "what the app and its recorder do wrong: names, all, or none (none)")

    static let plan = Option(
        name: "plan", value: "FILE",
        summary: "write there, an object a line, which fault was planted where")

    /// The option that says how the output is written; the first word is what is done without it.
    static func format(_ words: [OutputFormat]) -> Option {
        let list = words.map(\.rawValue).joined(separator: "|")
        return Option(
            name: "format", value: list,
            summary: "how to write it (\(OutputFormat.text.rawValue))", words: words.map(\.rawValue)
        )
    }
}

/// How a command writes what it has to say.
enum OutputFormat: String, CaseIterable {
    case text, json, sarif, github
}
