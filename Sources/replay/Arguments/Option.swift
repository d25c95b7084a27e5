import PurchaseEvents
import PurchaseImport
import PurchaseProjections
import PurchaseSimulation

/// An option, from whose declaration parsing, help, man page and completion scripts come.
struct Option: Hashable, Sendable {
    /// The name without its dashes.
    let name: String
    /// The name of the value in the help; `nil` for an option without a value.
    let value: String?
    /// What the option does, with its default in parentheses.
    let summary: String
    let values: ArgumentValues
    let repeats: Bool

    /// Declares an option as the help shows it, without dashes: `rule=ID`, or `help` without a
    /// value. The value `FILE`, `DIR` or `FOLDER` is a path.
    init(
        _ usage: String, _ summary: String, values: ArgumentValues = .text, repeats: Bool = false
    ) {
        let parts = usage.split(separator: "=", maxSplits: 1).map(String.init)
        (name, value) = (parts[0], parts.count > 1 ? parts[1] : nil)
        let isPath = ["FILE", "DIR", "FOLDER"].contains(value)
        (self.summary, self.values, self.repeats) = (summary, isPath ? .path : values, repeats)
    }

    /// The option as the help shows it: `--rule=ID`.
    var usage: String { value.map { "--\(name)=\($0)" } ?? "--\(name)" }
}

extension Option {
    static let help = Option("help", "print this help")

    static let rule = Option(
        "rule=ID",
        "run only this rule; a prefix of its id is enough if no other id has it; may be "
            + "repeated", values: .suggested(RuleCatalogue.all.map { $0.id }), repeats: true)

    static let shrunkRule = Option(
        "rule=ID",
        "the rule whose finding must stay; a prefix of its id is enough if no other id "
            + "has it", values: .suggested(RuleCatalogue.all.map { $0.id }))

    static let key = Option("key=K", "the finding about this transaction, payment, original or id")
    static let line = Option("line=N", "the finding on this line")

    static let faultCheck = Option(
        "check=COMMAND",
        "the shell command that gets a log's path and succeeds while the fault is there")

    static let budget = Option("budget=SECONDS", "with --check, how long to try (default: 60)")
    static let testName = Option("name=SENTENCE", "the name of the test")

    static let appendTo = Option(
        "append-to=DIR", "write the log and its expected answers as files into this folder")

    static let summary = Option(
        "summary",
        "instead of the findings, print one line for each rule with findings: how many, of "
            + "how many accounts and transactions, and the money at stake")

    static let baseline = Option(
        "baseline=FILE",
        "count but don't print the findings that this file lists; they don't affect the "
            + "exit status")

    static let writeBaseline = Option(
        "write-baseline=FILE", "write the findings to this file, for --baseline")

    static let resume = Option(
        "resume=FILE",
        "go on where the run that wrote this file ended, and write it anew; without the "
            + "file, read everything and write it")

    static let new = Option(
        "new", "with --resume, print only what this run found; all findings are counted")

    static let restart = Option(
        "restart",
        "with --resume, read the logs from their start, and write the file anew if it is one "
            + "that --resume wrote")

    static let follow = Option(
        "follow",
        "go on reading one log as it grows, and print each finding at once; SIGINT or "
            + "SIGTERM ends it")

    static let rules = Option(
        "rules=FILE", "also run the rules in this file (docs/own-rules.md); may be repeated",
        repeats: true)

    static let listedRules = Option(
        "rules=FILE", "also list the rules in this file (docs/own-rules.md); may be repeated",
        repeats: true)

    static let only = Option("only", "leave out the catalogue: only the rules of --rules")

    static let untilSeq = Option(
        "until-seq=N", "stop after the event with this seq, to show what was known then")

    static let until = Option(
        "until=TIME", "stop before the first event recorded later, to show what was known then")

    static let asOf = Option(
        "as-of=TIME", "show what was true at this time (default: the latest time of recording)")

    static let asOfBoth = Option(
        "as-of=TIME",
        "compare what was true at this time (default: the latest time of recording in both logs)")

    static let part = Option(
        "part", "the input is a part of a log: run only the rules that can check a part")

    static let endOfWhole = Option(
        "as-of=TIME", "with --part, the latest time of recording of the whole log")

    static let accountOfFindings = Option("account=A", "print only the findings of this account")
    static let accountOfRows = Option("account=A", "show only the rows of this account")
    static let accountOfLines = Option("account=A", "leave out lines that name another account")
    static let accountOfReport = Option("account=A", "show only this account and its findings")

    static let accountsOfReport = Option(
        "accounts=N", "draw at most N accounts, those with findings first (default: 200)")

    static let reportFile = Option("to=FILE", "the file to write, or - for standard output")

    static let consented = Option(
        "consented", "the customer agreed that the App Store gets this information; required")

    static let sampleContent = Option(
        "sample-content", "the customer could try or see the content before the purchase")

    static let consumed = Option(
        "consumed=N",
        "how much of the purchase was consumed, in thousandths of a percent: 50000 is half")

    static let prefer = Option(
        "prefer=" + ConsumptionBody.RefundPreference.words.joined(separator: "|"),
        "the outcome that you prefer (default: what the log suggests)",
        values: .oneOf(ConsumptionBody.RefundPreference.words))

    static let strict = Option("strict", "end with status 1 for warnings too")

    static let verbose = Option(
        "verbose", "print the verdict of every rule, and how often it was tested")

    static let maxFindings = Option(
        "max-findings=N",
        "print only the first N findings by line, or all for 0; all are counted "
            + "(default: 1,000; with --follow all)")

    static let threads = Option("threads=N", "use N threads (default: as many as there are cores)")

    static let nonRenewing = Option(
        "non-renewing=leaves|stays",
        "whether a finished non-renewing subscription leaves the receipt or stays in it "
            + "(default: leaves)", values: .oneOf(["leaves", "stays"]))

    static let recordedAt = Option(
        "recorded-at=TIME",
        "when the events were recorded (default: the latest date in the source)")

    static let recoveredAt = Option(
        "recorded-at=TIME", "the time to record log.recovered at (default: now)")

    static let dryRun = Option("dry-run", "say what would be cut off, and change nothing")

    static let sharedSecretFile = Option(
        "shared-secret-file=FILE",
        "compare the password of each notification with the secret in this file")

    static let asKind = Option(
        "as=KIND", "read every document as one of this kind",
        values: .oneOf(ImportKind.allCases.map(\.rawValue)))

    static let root = Option(
        "root=FILE",
        "trust the certificates in this file (DER or PEM) instead of Apple's roots; may "
            + "be repeated", repeats: true)

    static let noVerify = Option("no-verify", "don't verify signatures")
    static let bundleID = Option("bundle-id=ID", "leave out records that name another app")

    static let appID = Option(
        "app-id=N", "leave out records that name another app's identifier in the App Store")

    static let openReceipts = Option(
        "open-receipts", "also read receipts inside other documents (latest_receipt, receipt-data)")

    static let rowType = Option(
        "type=TYPE", "rows: the type of event that each row becomes",
        values: .oneOf(RowMapping.types.map(\.wireName)))

    /// For each key that a row mapping can set, the option that names the key's column.
    static let rowColumns = RowMapping.keys.map { key in
        Option(
            key.wireName + (key == .account ? "=COLUMN|KEY" : "=COLUMN"),
            "rows: the column of `\(key.wireName)`"
                + (key == .account
                    ? "; app-store: what becomes the account: token (appAccountToken, the "
                        + "default), customer (appTransactionId) or token-or-customer" : ""))
    }

    /// The option that names the account of rows, or chooses that of App Store data.
    static let importAccount = rowColumns.first { $0.name == Key.account.wireName }

    static let tableColumn = Option(
        "column=NAME", "read only this column of a table (default: each column of documents)")

    static let rowAmounts = Option(
        "amounts=UNIT",
        "rows: what a whole number is as an amount (default: thousandths); an amount with "
            + "a decimal point is in units", values: .oneOf(AmountUnit.allCases.map(\.rawValue)))

    static let rowSet = Option(
        "set=KEY=VALUE", "rows: the value of a key in every row; may be repeated", repeats: true)

    static let rowWhere = Option(
        "where=COLUMN=VALUE",
        "rows: take only rows that hold this value, or with COLUMN!=VALUE only rows that "
            + "don't (no VALUE: an empty cell); may be repeated for several columns", repeats: true)

    static let rowZone = Option(
        "zone=±HH:MM", "rows: the time zone of times without one (default: such times are errors)")

    static let rowMapping = Option(
        "mapping=FILE", "rows: read types, columns, constants and conditions from this JSON file")

    static let keyFile = Option(
        "key-file=FILE",
        "the file that holds the key, at least 16 bytes: equal keys give equal pseudonyms")

    static let products = Option("products", "replace products, groups and content too")

    static let shift = Option(
        "shift=DAYS", "shift every date by this many days, back if negative (default: 0)")

    static let chained = Option("chained", "chain the redacted log (default: unchained)")

    static let checkpoint = Option(
        "checkpoint=FILE", "compare the log with a checkpoint that `replay seal` printed")

    static let expectHead = Option(
        "expect-head=HEX", "expect a line with this chain value, which was the head earlier")

    static let seed = Option(
        "seed=N", "seed of the random choices: equal seeds give equal bytes (default: 1)")

    static let events = Option("events=N", "number of events (default: 1,000)")

    static let accounts = Option(
        "accounts=N", "maximum number of accounts (default: one for every 100 events)")

    static let days = Option(
        "days=N", "approximate number of days that the log covers (default: 365)")

    static let start = Option("start=TIME", "when the log begins (default: 2026-01-01)")

    static let store = Option(
        "store=" + SimulationOptions.Store.names.joined(separator: "|"),
        "what the store does: what the In-App Purchase guide describes, or what today's "
            + "App Store does too (default: guide; with --as=app-store: today)",
        values: .oneOf(SimulationOptions.Store.names))

    static let faults = Option(
        "faults=NAME,…",
        "what the app and its recorder do wrong: names of faults, all, or none "
            + "(default: none)", values: .list(["all", "none"] + Fault.allCases.map(\.name)))

    static let generatedAs = Option(
        "as=KIND",
        "log, or app-store: what Apple's servers would send and answer for the history "
            + "(default: log)", values: .oneOf(["log", "app-store"]))

    static let toFolder = Option(
        "to=FOLDER", "with --as=app-store, the folder to make; an empty one may exist")

    static let deliveries = Option(
        "deliveries=KIND",
        "with --as=app-store, how the notifications arrive: clean, each once and in "
            + "order; retried, with repeats and retries; shuffled, in any order "
            + "(default: retried)", values: .oneOf(StoreDeliveries.allCases.map(\.rawValue)))

    static let samples = Option(
        "samples",
        "with --as=app-store, add one notification of each kind that no history reaches, "
            + "with invented values")

    static let plan = Option(
        "plan=FILE",
        "write the planted faults and their places to this file, one JSON object a line")

    static let drop = Option(
        "drop=N[-M]", "leave out line N, or lines N to M; may be repeated", repeats: true)

    static let setKey = Option(
        "set=N:KEY=VALUE",
        "give a key of line N another value; an empty value removes the key; may be "
            + "repeated", repeats: true)

    static let insert = Option(
        "insert=N:JSON", "put a new line before line N; may be repeated", repeats: true)

    static let move = Option("move=N:M", "put line N before line M; may be repeated", repeats: true)

    static func format(_ formats: [OutputFormat]) -> Option {
        let words = formats.map(\.rawValue)
        return Option(
            "format=" + words.joined(separator: "|"),
            "how to print the result (default: \(OutputFormat.text.rawValue))",
            values: .oneOf(words))
    }
}

extension SimulationOptions.Store {
    static let names = allCases.map(\.rawValue)
}

enum OutputFormat: String, CaseIterable { case text, json, csv, sarif, github }
