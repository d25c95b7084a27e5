import PurchaseEvents
import PurchaseImport

/// `replay import`: converts external data into a log.
struct ImportCommand: ToolCommand {
    static let name = "import"
    static let summary = "turn App Store data or rows of your own into a log"
    static let operands = [
        Operand(name: "SOURCE", values: .oneOf(Importers.all.map { $0.name })),
        Operand(name: "FILE", values: .path, repeats: true),
    ]
    static let options: [Option] = shared + appStore + RowOptions.all
    private static let shared: [Option] = [.recordedAt, .threads]
    private static let appStore: [Option] = [
        .asKind, .tableColumn, .root, .noVerify, .bundleID, .appID, .openReceipts,
        .sharedSecretFile,
    ]
    static var details: String {
        let width = Importers.all.map { $0.name.count }.max() ?? 0
        let sources = Importers.all.map { "  \(TextFormat.padded($0.name, width))  \($0.summary)" }
        return """
            Sources:
            \(sources.joined(separator: "\n"))

            FILE is a file, a folder (each of its files, by name; for app-store also those of the
            folders in it, save logs, rows and certificates), or - for standard input.

            app-store: the content of a file says what it is, never its name: one document, a JSON
            array of them, or one document a line, with its parts signed (JWS) or decoded; an
            envelope that holds one document, at most four levels down; a column of a table (CSV or
            TSV with a header line, as a database dumps it); or a receipt, as it is or in base64.
            --as=KIND overrides what the content says.

            Kinds:
            \(kinds)

            Signatures are verified up to Apple's roots, at the date of each record, without a
            network: revoked certificates are not detected. What a record with an invalid signature
            states is not in the log. Xcode signs with keys of its own; its records are unchecked.

            One log of all files goes to standard output. Standard error says what each file is,
            what is wrong in it, and what the log can't record. Equal input gives equal bytes.
            Secrets never reach the log: with --shared-secret-file an event says whether the secret
            was right.

            \(rows)
            """
    }
    private static let rows = """
        rows: a table with a header line (CSV, or TSV for a file named .tsv or a header with tabs)
        or JSON lines; each row is one event. --transaction=store_tx takes the key transaction from
        the column store_tx, and so for every key that events of --type=TYPE have; an empty cell
        says nothing. Times are RFC 3339, or seconds or milliseconds since 1970. Words may be
        StoreKit's: Non-Consumable, FAMILY_SHARED, SKErrorDomain codes. The id is a hash of the row
        unless --id=COLUMN names it, and a repeated row is recorded once. A row that doesn't fit is
        an error with its line; the other rows are imported. Events are in the order of their times.
        Amounts with a decimal point are in units of the currency; --amounts says what whole numbers
        are. In JSON lines, a.b.c is a key below keys. Accounts in the form of a UUID are written in
        lower case.

        --mapping=FILE describes several types by what columns hold, so that one export becomes one
        log; columns and set at the top are for every event that has the key:
          {"zone": "+01:00", "columns": {"at": "created_at", "transaction": "store_tx"},
           "events": [{"type": "delivery.delivered", "where": {"action": "grant"}},
                      {"type": "delivery.withdrawn", "where": {"action": ["refund", "revoke"]},
                       "columns": {"reason": "why"}, "set": {"device": "server"}}]}
        `unless` names what rows must not hold, and "amounts" at the top is --amounts. Mappings/ has
        mappings for the webhooks of RevenueCat, Superwall, Adapty and Qonversion, for RevenueCat's
        Transactions export, and for a Postgres dump of grants.
        """
    static let examples = [
        Example(
            "import a verifyReceipt response",
            "replay import app-store Tests/PurchaseEventsTests/Docs/response.json > imported.jsonl"
        ),
        Example(
            "import what a server granted",
            "replay import rows events/reconcile/grants.csv --mapping=events/reconcile/grants.json"
        ),
    ]
    static let statuses: [ToolStatus: String] = [
        .undetermined: "something in the input is not in the log"
    ]

    private static var kinds: String {
        ImportKind.allCases.map { "  \($0.rawValue)" }.joined(separator: "\n")
    }

    /// The maximum size of the shared secret's file in bytes.
    static let largestSecret = 64 << 10
    /// The maximum size of a certificate file in bytes.
    static let largestCertificate = 1 << 20

    let importer: any Importer
    let paths: [String]
    private let secretPath: String?
    private let rootPaths: [String]
    private let mappingPath: String?
    private let threadCount: Int?
    private var options = ImportOptions()

    init(_ given: ParsedArguments) throws(UsageError) {
        importer = try given.first { Importers.named($0) }
        let isRows = importer is RowImporter
        let foreign = isRows ? ImportCommand.appStore : RowOptions.all
        let shared = Option.importAccount?.name
        if let option = foreign.first(where: { $0.name != shared && given.has($0) }) {
            let other = isRows ? "app-store" : "rows"
            throw UsageError("`--\(option.name)` is an option of `replay import \(other)`")
        }
        mappingPath = given.value(.rowMapping)
        secretPath = given.value(.sharedSecretFile)
        rootPaths = given.all(.root)
        threadCount = try given.number(.threads, in: 1...1_024)
        paths = Array(given.operands.dropFirst())
        options.recordedAt = try given.time(.recordedAt)
        options.kind = given.value(.asKind).flatMap { ImportKind(rawValue: $0) }
        options.verifies = !given.has(.noVerify)
        options.bundleID = given.value(.bundleID)
        options.appID = try given.number(.appID, in: 0...Int64.max)
        options.opensReceipts = given.has(.openReceipts)
        options.column = given.value(.tableColumn)
        if !isRows { options.account = try ImportCommand.account(given) }
        if isRows {
            options.rows = try RowOptions.mapping(given)
            if let rows = options.rows {
                try RowOptions.checkTimes(rows, options.recordedAt)
            }
        }
        guard options.verifies || rootPaths.isEmpty else {
            throw UsageError("`--root` and `--no-verify` exclude each other")
        }
        guard !paths.isEmpty else {
            throw UsageError("`replay import \(given.operands[0])` needs a file, or `-`")
        }
        try given.expectOneInput(paths + [secretPath, mappingPath].compactMap { $0 } + rootPaths)
    }

    private static func account(
        _ given: ParsedArguments
    ) throws(UsageError) -> AccountKey? {
        guard let option = Option.importAccount, let text = given.value(option) else { return nil }
        guard let choice = AccountKey(rawValue: text) else {
            throw UsageError(unknown: "account", text, among: AccountKey.allCases.map(\.rawValue))
        }
        return choice
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        var options = options
        options.sharedSecret = try secret(session)
        options.threads = threadCount ?? session.host.cores
        if !rootPaths.isEmpty { options.roots = try roots(session) }
        if let mappingPath { options.rows = try mapping(mappingPath, session, options.recordedAt) }
        let run = try ImportRun(session, paths, isDeep: !(importer is RowImporter))
        return try run.run(importer, options)
    }

    private func mapping(
        _ path: String, _ session: ToolSession, _ recordedAt: Timestamp?
    ) throws -> RowMapping {
        let bytes = try session.bytes(
            of: path, atMost: RowOptions.largestMapping,
            advice: "name a file that holds only the mapping")
        let mapping: RowMapping
        do throws(RowMappingProblem) {
            mapping = try RowMapping(json: bytes)
        } catch {
            throw ToolError.noInput("--mapping: `\(EscapedText.escape(path))`: \(error.message)")
        }
        guard recordedAt != nil || mapping.namesTimes else {
            throw ToolError.noInput(
                "--mapping: `\(EscapedText.escape(path))`: expected a column for `at` in each "
                    + "event, or --recorded-at=TIME for all of them")
        }
        return mapping
    }

    private func secret(_ session: ToolSession) throws -> SharedSecret? {
        guard let secretPath else { return nil }
        let bytes = try session.bytes(
            of: secretPath, atMost: ImportCommand.largestSecret,
            advice: "name a file that holds only the secret")
        guard let secret = SharedSecret(bytes) else {
            throw ToolError.noInput(
                "`\(EscapedText.escape(secretPath))` is empty: expected the shared secret")
        }
        return secret
    }

    private func roots(_ session: ToolSession) throws -> TrustedRoots {
        let files = try rootPaths.map { path in
            try session.bytes(
                of: path, atMost: ImportCommand.largestCertificate,
                advice: "name a file that holds only certificates")
        }
        do throws(SignatureProblem) {
            return try TrustedRoots(certificates: files)
        } catch {
            let shown = rootPaths.map { "`\(EscapedText.escape($0))`" }.joined(separator: ", ")
            throw ToolError.noInput("--root: \(shown): \(error.message)")
        }
    }
}
