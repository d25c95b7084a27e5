import PurchaseEvents
import PurchaseImport

/// `replay import`: turns data of another origin into a log.
struct ImportCommand: ToolCommand {
    static let name = "import"
    static let summary = "turn App Store data into a log"
    static let operands = [
        Operand(name: "SOURCE", values: .oneOf(Importers.all.map { $0.name })),
        Operand(name: "FILE", values: .path, repeats: true),
    ]
    static let options: [Option] = [.recordedAt, .sharedSecretFile]
    static var details: String {
        let width = Importers.all.map { $0.name.count }.max() ?? 0
        let sources = Importers.all.map { "  \(Words.padded($0.name, width))  \($0.summary)" }
        return """
            Sources:
            \(sources.joined(separator: "\n"))

            FILE is a file, or - for standard input. One log of all files goes to standard output;
            what the log has no place for is listed on standard error. Equal input gives equal
            bytes. Secrets never reach the log: with --shared-secret-file an event says whether the
            secret was right.
            """
    }
    static let examples = [
        Example(
            "import a verifyReceipt response",
            "replay import app-store Tests/PurchaseEventsTests/Docs/response.json > imported.jsonl")
    ]
    static let statuses: [ToolStatus: String] = [
        .undetermined: "something in the input is not in the log"
    ]

    /// The largest size of a file to import, in bytes; parsing takes many times as much memory.
    static let largestFile = 64 << 20
    /// The largest size of the file with the shared secret, in bytes.
    static let largestSecret = 64 << 10

    let importer: any Importer
    let recordedAt: Timestamp?
    let secretPath: String?
    let paths: [String]

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
        recordedAt = try given.time(.recordedAt)
        secretPath = given.value(.sharedSecretFile)
        paths = Array(given.operands.dropFirst())
        guard !paths.isEmpty else {
            throw UsageError(
                "`replay import \(source)` needs a file, or `-`", command: given.command)
        }
        if (paths + [secretPath].compactMap { $0 }).count(where: { $0 == "-" }) > 1 {
            throw UsageError(
                "`-` is given twice: standard input is read once", command: given.command)
        }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        var options = ImportOptions(recordedAt: recordedAt)
        if let secretPath {
            let bytes = try session.bytes(
                of: secretPath, atMost: ImportCommand.largestSecret,
                advice: "name a file that holds only the secret")
            guard let secret = SharedSecret(bytes) else {
                throw ToolError.noInput(
                    "`\(EscapedText.escape(secretPath))` is empty: expected the shared secret")
            }
            options.sharedSecret = secret
        }
        var files: [ImportFile] = []
        for path in paths {
            files.append(
                ImportFile(
                    name: path,
                    bytes: try session.bytes(
                        of: path, atMost: ImportCommand.largestFile,
                        advice: "split the file and name all the parts")))
        }
        let result = importer.log(of: files, options: options)
        try session.output.write(result.log)
        try session.output.flush()
        for remark in result.remarks { session.writeError("\(remark)\n") }
        return result.isComplete ? .well : .undetermined
    }
}
