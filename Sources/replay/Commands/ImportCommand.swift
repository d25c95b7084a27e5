import PurchaseEvents
import PurchaseImport

/// `replay import`: data of another origin turned into a log.
struct ImportCommand: ToolCommand {
    static let name = "import"
    static let summary = "turn App Store data into a log"
    static let operands = "SOURCE FILE…"
    static let options: [Option] = [
        .asKind, .root, .noVerify, .bundleID, .appID, .openReceipts, .recordedAt,
        .sharedSecretFile, .threads,
    ]
    static var details: String {
        let width = Importers.all.map { $0.name.count }.max() ?? 0
        let sources = Importers.all.map { "  \(Words.padded($0.name, width))  \($0.summary)" }
        return """
            Sources:
            \(sources.joined(separator: "\n"))

            FILE is a file, a folder (each of its files, by name), or - for standard input. What a
            file holds is told by its content, never by its name: documents alone, in a JSON array
            or one a line, signed (JWS) or decoded, also as text in the `body`, `payload` or
            `message` of an envelope, as a webhook is captured; or a receipt, in base64 or as it is.
            --as says it where you know better.

            Kinds:
            \(kinds)

            Signatures are verified up to Apple's roots, at the date of each record, without asking
            anybody: whether a certificate was revoked isn't known. Nothing that a record with an
            invalid signature states is in the log. Xcode's signatures are its own, and unchecked.

            The log of all files goes to standard output; standard error says what each file was
            taken for, what could not be mapped, and what the log has no place for. Without
            --recorded-at equal input gives equal bytes. Secrets never reach the log: with
            --shared-secret-file an event says whether the secret was right. Status 2: something is
            not in the log.
            """
    }

    private static var kinds: String {
        ImportKind.allCases.map { "  \($0.rawValue)" }.joined(separator: "\n")
    }

    /// The most bytes of a secret's file.
    static let largestSecret = 64 << 10
    /// The most bytes of a certificate's file.
    static let largestCertificate = 1 << 20

    let importer: any Importer
    let paths: [String]
    private let secretPath: String?
    private let rootPaths: [String]
    private let threadCount: Int?
    private var options = ImportOptions()

    init(_ given: Given) throws(UsageError) {
        let names = Importers.all.map { $0.name }
        guard let source = given.operands.first else {
            throw UsageError(
                "`replay import` needs a source: \(UsageError.list(names))",
                command: given.command)
        }
        guard let importer = Importers.named(source) else {
            throw UsageError(unknown: "source", source, among: names, command: given.command)
        }
        self.importer = importer
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
        guard options.verifies || rootPaths.isEmpty else {
            throw UsageError(
                "`--root` and `--no-verify` exclude each other", command: given.command)
        }
        guard !paths.isEmpty else {
            throw UsageError(
                "`replay import \(source)` needs a file, or `-`", command: given.command)
        }
        let all = paths + [secretPath].compactMap { $0 } + rootPaths
        if all.count(where: { $0 == "-" }) > 1 {
            throw UsageError(
                "`-` is given twice: standard input is read once", command: given.command)
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        var options = options
        options.sharedSecret = try secret(session)
        options.threads = threadCount ?? session.host.cores
        if !rootPaths.isEmpty { options.roots = try roots(session) }
        let run = try ImportRun(session, paths)
        return try run.run(importer, options)
    }

    private func secret(_ session: ToolSession) throws -> SharedSecret? {
        guard let secretPath else { return nil }
        let bytes = try session.bytes(
            of: secretPath, atMost: ImportCommand.largestSecret,
            advice: "name one that holds the secret alone")
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
                advice: "name one that holds certificates alone")
        }
        do throws(SignatureProblem) {
            return try TrustedRoots(certificates: files)
        } catch {
            let shown = rootPaths.map { "`\(EscapedText.escape($0))`" }.joined(separator: ", ")
            throw ToolError.noInput("--root: \(shown): \(error.message)")
        }
    }
}
