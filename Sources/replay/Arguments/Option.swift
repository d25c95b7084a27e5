import PurchaseImport
import PurchaseProjections
import PurchaseSimulation

/// An option of a command: declared once, from which parsing, help, man page and completion
/// scripts are made.
struct Option: Hashable, Sendable {
    /// The name without its dashes.
    let name: String
    /// The name that stands for the value in the help; `nil` for an option without a value.
    let value: String?
    /// What the option does, with its default in parentheses.
    let summary: String
    /// What the value may be.
    var values = ArgumentValues.text
    /// Whether the option may be given more than once.
    var repeats = false

    /// The option as the help shows it: `--rule=ID`.
    var usage: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
}

/// Every option there is; each command lists its own.
extension Option {
    static let help = Option(name: "help", value: nil, summary: "print this help")

    static let rule = Option(
        name: "rule", value: "ID",
        summary: "run only this rule; the beginning of its id is enough if no other begins alike; "
            + "may be repeated", values: .suggested(RuleCatalogue.all.map { $0.id }), repeats: true)

    static let untilSeq = Option(
        name: "until-seq", value: "N",
        summary: "stop after the event with this seq: what the log knew then")

    static let until = Option(
        name: "until", value: "TIME",
        summary: "stop before the first event recorded later: what the log knew then")

    static let asOf = Option(
        name: "as-of", value: "TIME",
        summary: "show what was true then (default: the latest time of recording)")

    static let part = Option(
        name: "part", value: nil,
        summary: "the input is a part of a log: run only the rules that a part can answer")

    static let endOfWhole = Option(
        name: "as-of", value: "TIME",
        summary: "with --part, the latest time of recording of the whole log")

    static let accountOfFindings = Option(
        name: "account", value: "A", summary: "print only the findings of this account")

    static let accountOfRows = Option(
        name: "account", value: "A", summary: "show only the rows of this account")

    static let accountOfLines = Option(
        name: "account", value: "A", summary: "leave out lines that name another account")

    static let strict = Option(
        name: "strict", value: nil, summary: "end with status 1 for warnings too")

    static let verbose = Option(
        name: "verbose", value: nil,
        summary: "print the verdict of every rule, and how often it was tested")

    static let maxFindings = Option(
        name: "max-findings", value: "N",
        summary: "print only the first N findings by line, or all for 0; all are counted "
            + "(default: 1,000)")

    static let threads = Option(
        name: "threads", value: "N", summary: "use N threads (default: as many as there are cores)")

    static let nonRenewing = Option(
        name: "non-renewing", value: "leaves|stays",
        summary: "whether a finished non-renewing subscription leaves the receipt or stays in it "
            + "(default: leaves)", values: .oneOf(["leaves", "stays"]))

    static let recordedAt = Option(
        name: "recorded-at", value: "TIME",
        summary: "when the events were recorded (default: the latest date in the source)")

    static let recoveredAt = Option(
        name: "recorded-at", value: "TIME",
        summary: "the time to record log.recovered at (default: now)")

    static let dryRun = Option(
        name: "dry-run", value: nil, summary: "say what would be cut off, and change nothing")

    static let sharedSecretFile = Option(
        name: "shared-secret-file", value: "FILE",
        summary: "compare the password of each notification with the secret in this file",
        values: .path)

    static let asKind = Option(
        name: "as", value: "KIND", summary: "read every document as one of this kind",
        values: .oneOf(ImportKind.allCases.map(\.rawValue)))

    static let root = Option(
        name: "root", value: "FILE",
        summary: "trust the certificates in this file (DER or PEM) instead of Apple's roots; may "
            + "be repeated", values: .path, repeats: true)

    static let noVerify = Option(
        name: "no-verify", value: nil, summary: "don't verify signatures")

    static let bundleID = Option(
        name: "bundle-id", value: "ID", summary: "leave out records that name another app")

    static let appID = Option(
        name: "app-id", value: "N",
        summary: "leave out records that name another app's identifier in the App Store")

    static let openReceipts = Option(
        name: "open-receipts", value: nil,
        summary: "also read receipts inside other documents (latest_receipt, receipt-data)")

    static let checkpoint = Option(
        name: "checkpoint", value: "FILE",
        summary: "compare the log with a checkpoint that `replay seal` printed", values: .path)

    static let expectHead = Option(
        name: "expect-head", value: "HEX",
        summary: "expect a line with this chain value, which was the head earlier")

    static let seed = Option(
        name: "seed", value: "N",
        summary: "seed of the random choices: equal seeds give equal bytes (default: 1)")

    static let events = Option(
        name: "events", value: "N", summary: "number of events (default: 1,000)")

    static let accounts = Option(
        name: "accounts", value: "N",
        summary: "largest number of accounts (default: one for every 100 events)")

    static let days = Option(
        name: "days", value: "N", summary: "number of days the log covers, roughly (default: 365)")

    static let start = Option(
        name: "start", value: "TIME", summary: "when the log begins (default: 2026-01-01)")

    static let faults = Option(
        name: "faults", value: "NAME,…",
        summary: "what the app and its recorder do wrong: names of faults, all, or none "
            + "(default: none)", values: .list(["all", "none"] + Fault.allCases.map(\.name)))

    static let plan = Option(
        name: "plan", value: "FILE",
        summary: "write to this file, one JSON object a line, which fault was planted where",
        values: .path)

    /// The option that says how the output is written.
    static func format(_ formats: [OutputFormat]) -> Option {
        let words = formats.map(\.rawValue)
        return Option(
            name: "format", value: words.joined(separator: "|"),
            summary: "how to print the result (default: \(OutputFormat.text.rawValue))",
            values: .oneOf(words))
    }
}

/// How a command prints its result.
enum OutputFormat: String, CaseIterable {
    case text, json, sarif, github
}
