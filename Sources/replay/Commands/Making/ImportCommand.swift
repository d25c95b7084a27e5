import PurchaseEvents
import PurchaseImport

/// `replay import`: converts external data into a log.
struct ImportCommand: ToolCommand {
    static let name = "import"
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
    static var lists: [String: String] {
        [
            "sources": HelpText.list(Importers.all.map { ($0.name, $0.summary) }),
            "kinds": ImportKind.allCases.map { "  \($0.rawValue)" }.joined(separator: "\n"),
        ]
    }

    static let largestSecret = 64 << 10
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
            if let rows = options.rows { try RowOptions.checkTimes(rows, options.recordedAt) }
        }
        guard options.verifies || rootPaths.isEmpty else {
            throw UsageError("`--root` and `--no-verify` exclude each other")
        }
        guard !paths.isEmpty else {
            throw UsageError("`replay import \(given.operands[0])` needs a file, or `-`")
        }
        try given.expectOneInput(paths + [secretPath, mappingPath].compactMap { $0 } + rootPaths)
    }

    private static func account(_ given: ParsedArguments) throws(UsageError) -> AccountKey? {
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
            throw ToolError.noInput("--mapping: `\(path.escaped)`: \(error.message)")
        }
        guard recordedAt != nil || mapping.namesTimes else {
            throw ToolError.noInput(
                "--mapping: `\(path.escaped)`: expected a column for `at` in each "
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
            throw ToolError.noInput("`\(secretPath.escaped)` is empty: expected the shared secret")
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
            let shown = rootPaths.map { "`\($0.escaped)`" }.joined(separator: ", ")
            throw ToolError.noInput("--root: \(shown): \(error.message)")
        }
    }
}
