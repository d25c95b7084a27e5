import PurchaseEvents
import PurchaseImport
import PurchaseProjections
import PurchaseSimulation

/// An option of a command.
///
/// Parsing, help, man page and completion scripts all come from this declaration.
struct Option: Hashable, Sendable {
    /// The name without its dashes.
    let name: String
    /// The name of the value in the help; `nil` for an option without a value.
    let value: String?
    /// What the option does, with its default in parentheses.
    let summary: String
    /// The values that the option accepts.
    var values = ArgumentValues.text
    /// Whether the option may be given more than once.
    var repeats = false

    /// The option as the help shows it: `--rule=ID`.
    var usage: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
}

/// All options; each command lists its own.
extension Option {
    static let help = Option(name: "help", value: nil, summary: "print this help")

    static let rule = Option(
        name: "rule", value: "ID",
        summary: "run only this rule; a prefix of its id is enough if no other id has it; may be "
            + "repeated", values: .suggested(RuleCatalogue.all.map { $0.id }), repeats: true)

    static let shrunkRule = Option(
        name: "rule", value: "ID",
        summary: "the rule whose finding must stay; a prefix of its id is enough if no other id "
            + "has it", values: .suggested(RuleCatalogue.all.map { $0.id }))

    static let key = Option(
        name: "key", value: "K",
        summary: "the finding about this transaction, payment, original or id")

    static let line = Option(
        name: "line", value: "N", summary: "the finding on this line")

    static let faultCheck = Option(
        name: "check", value: "COMMAND",
        summary: "the shell command that gets a log's path and succeeds while the fault is there")

    static let budget = Option(
        name: "budget", value: "SECONDS",
        summary: "with --check, how long to try (default: 60)")

    static let testName = Option(
        name: "name", value: "SENTENCE", summary: "the name of the test")

    static let appendTo = Option(
        name: "append-to", value: "DIR",
        summary: "write the log and its expected answers as files into this folder", values: .path)

    static let summary = Option(
        name: "summary", value: nil,
        summary:
            "instead of the findings, print one line for each rule with findings: how many, of "
            + "how many accounts and transactions, and the money at stake")

    static let baseline = Option(
        name: "baseline", value: "FILE",
        summary: "count but don't print the findings that this file lists; they don't affect the "
            + "exit status", values: .path)

    static let writeBaseline = Option(
        name: "write-baseline", value: "FILE",
        summary: "write the findings to this file, for --baseline", values: .path)

    static let resume = Option(
        name: "resume", value: "FILE",
        summary: "go on where the run that wrote this file ended, and write it anew; without the "
            + "file, read everything and write it", values: .path)

    static let new = Option(
        name: "new", value: nil,
        summary: "with --resume, print only what this run found; all findings are counted")

    static let restart = Option(
        name: "restart", value: nil,
        summary: "with --resume, read the logs from their start, and write the file anew")

    static let follow = Option(
        name: "follow", value: nil,
        summary: "go on reading one log as it grows, and print each finding at once; SIGINT or "
            + "SIGTERM ends it")

    static let rules = Option(
        name: "rules", value: "FILE",
        summary: "also run the rules in this file (docs/own-rules.md); may be repeated",
        values: .path, repeats: true)

    static let listedRules = Option(
        name: "rules", value: "FILE",
        summary: "also list the rules in this file (docs/own-rules.md); may be repeated",
        values: .path, repeats: true)

    static let only = Option(
        name: "only", value: nil, summary: "leave out the catalogue: only the rules of --rules")

    static let untilSeq = Option(
        name: "until-seq", value: "N",
        summary: "stop after the event with this seq, to show what was known then")

    static let until = Option(
        name: "until", value: "TIME",
        summary: "stop before the first event recorded later, to show what was known then")

    static let asOf = Option(
        name: "as-of", value: "TIME",
        summary: "show what was true at this time (default: the latest time of recording)")

    static let asOfBoth = Option(
        name: "as-of", value: "TIME",
        summary:
            "compare what was true at this time (default: the latest time of recording in both "
            + "logs)")

    static let part = Option(
        name: "part", value: nil,
        summary: "the input is a part of a log: run only the rules that can check a part")

    static let endOfWhole = Option(
        name: "as-of", value: "TIME",
        summary: "with --part, the latest time of recording of the whole log")

    static let accountOfFindings = Option(
        name: "account", value: "A", summary: "print only the findings of this account")

    static let accountOfRows = Option(
        name: "account", value: "A", summary: "show only the rows of this account")

    static let accountOfLines = Option(
        name: "account", value: "A", summary: "leave out lines that name another account")

    static let accountOfReport = Option(
        name: "account", value: "A", summary: "show only this account and its findings")

    static let accountsOfReport = Option(
        name: "accounts", value: "N",
        summary: "draw at most N accounts, those with findings first (default: 200)")

    static let reportFile = Option(
        name: "to", value: "FILE", summary: "the file to write, or - for standard output",
        values: .path)

    static let consented = Option(
        name: "consented", value: nil,
        summary: "the customer agreed that the App Store gets this information; required")

    static let sampleContent = Option(
        name: "sample-content", value: nil,
        summary: "the customer could try or see the content before the purchase")

    static let consumed = Option(
        name: "consumed", value: "N",
        summary: "how much of the purchase was consumed, in thousandths of a percent: 50000 is half"
    )

    static let prefer = Option(
        name: "prefer", value: ConsumptionBody.RefundPreference.words.joined(separator: "|"),
        summary: "the outcome that you prefer (default: what the log suggests)",
        values: .oneOf(ConsumptionBody.RefundPreference.words))

    static let strict = Option(
        name: "strict", value: nil, summary: "end with status 1 for warnings too")

    static let verbose = Option(
        name: "verbose", value: nil,
        summary: "print the verdict of every rule, and how often it was tested")

    static let maxFindings = Option(
        name: "max-findings", value: "N",
        summary: "print only the first N findings by line, or all for 0; all are counted "
            + "(default: 1,000; with --follow all)")

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

    static let rowType = Option(
        name: "type", value: "TYPE", summary: "rows: the type of event that each row becomes",
        values: .oneOf(RowMapping.types.map(\.wireName)))

    /// For each key that a row mapping can set, the option that names the key's column.
    static let rowColumns = RowMapping.keys.map { key in
        Option(
            name: key.wireName, value: key == .account ? "COLUMN|KEY" : "COLUMN",
            summary: "rows: the column of `\(key.wireName)`"
                + (key == .account
                    ? "; app-store: what becomes the account: token (appAccountToken, the "
                        + "default), customer (appTransactionId) or token-or-customer" : ""))
    }

    /// The option that names the account of rows, or chooses that of App Store data.
    static let importAccount = rowColumns.first { $0.name == Key.account.wireName }

    static let tableColumn = Option(
        name: "column", value: "NAME",
        summary: "read only this column of a table (default: each column of documents)")

    static let rowAmounts = Option(
        name: "amounts", value: "UNIT",
        summary: "rows: what a whole number is as an amount (default: thousandths); an amount with "
            + "a decimal point is in units", values: .oneOf(AmountUnit.allCases.map(\.rawValue)))

    static let rowSet = Option(
        name: "set", value: "KEY=VALUE",
        summary: "rows: the value of a key in every row; may be repeated", repeats: true)

    static let rowWhere = Option(
        name: "where", value: "COLUMN=VALUE",
        summary: "rows: take only rows that hold this value, or with COLUMN!=VALUE only rows that "
            + "don't (no VALUE: an empty cell); may be repeated for several columns",
        repeats: true)

    static let rowZone = Option(
        name: "zone", value: "±HH:MM",
        summary: "rows: the time zone of times without one (default: such times are errors)")

    static let rowMapping = Option(
        name: "mapping", value: "FILE",
        summary: "rows: read types, columns, constants and conditions from this JSON file",
        values: .path)

    static let keyFile = Option(
        name: "key-file", value: "FILE",
        summary: "the file that holds the key, at least 16 bytes: equal keys give equal pseudonyms",
        values: .path)

    static let products = Option(
        name: "products", value: nil, summary: "replace products, groups and content too")

    static let shift = Option(
        name: "shift", value: "DAYS",
        summary: "shift every date by this many days, back if negative (default: 0)")

    static let chained = Option(
        name: "chained", value: nil, summary: "chain the redacted log (default: unchained)")

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
        summary: "maximum number of accounts (default: one for every 100 events)")

    static let days = Option(
        name: "days", value: "N",
        summary: "approximate number of days that the log covers (default: 365)")

    static let start = Option(
        name: "start", value: "TIME", summary: "when the log begins (default: 2026-01-01)")

    static let store = Option(
        name: "store", value: SimulationOptions.Store.names.joined(separator: "|"),
        summary: "what the store does: what the In-App Purchase guide describes, or what today's "
            + "App Store does too (default: guide; with --as=app-store: today)",
        values: .oneOf(SimulationOptions.Store.names))

    static let faults = Option(
        name: "faults", value: "NAME,…",
        summary: "what the app and its recorder do wrong: names of faults, all, or none "
            + "(default: none)", values: .list(["all", "none"] + Fault.allCases.map(\.name)))

    static let generatedAs = Option(
        name: "as", value: "KIND",
        summary: "log, or app-store: what Apple's servers would send and answer for the history "
            + "(default: log)", values: .oneOf(["log", "app-store"]))

    static let toFolder = Option(
        name: "to", value: "FOLDER",
        summary: "with --as=app-store, the folder to make; an empty one may exist", values: .path)

    static let deliveries = Option(
        name: "deliveries", value: "KIND",
        summary: "with --as=app-store, how the notifications arrive: clean, each once and in "
            + "order; retried, with repeats and retries; shuffled, in any order "
            + "(default: retried)", values: .oneOf(StoreDeliveries.allCases.map(\.rawValue)))

    static let samples = Option(
        name: "samples", value: nil,
        summary: "with --as=app-store, add one notification of each kind that no history reaches, "
            + "with invented values")

    static let plan = Option(
        name: "plan", value: "FILE",
        summary: "write the planted faults and their places to this file, one JSON object a line",
        values: .path)

    static let drop = Option(
        name: "drop", value: "N[-M]", summary: "leave out line N, or lines N to M; may be repeated",
        repeats: true)

    static let setKey = Option(
        name: "set", value: "N:KEY=VALUE",
        summary: "give a key of line N another value; an empty value removes the key; may be "
            + "repeated", repeats: true)

    static let insert = Option(
        name: "insert", value: "N:JSON",
        summary: "put a new line before line N; may be repeated", repeats: true)

    static let move = Option(
        name: "move", value: "N:M", summary: "put line N before line M; may be repeated",
        repeats: true)

    static func format(_ formats: [OutputFormat]) -> Option {
        let words = formats.map(\.rawValue)
        return Option(
            name: "format", value: words.joined(separator: "|"),
            summary: "how to print the result (default: \(OutputFormat.text.rawValue))",
            values: .oneOf(words))
    }
}

extension SimulationOptions.Store {
    /// The names on the command line.
    static let names = allCases.map(\.rawValue)
}

enum OutputFormat: String, CaseIterable {
    case text, json, csv, sarif, github
}
