import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// `replay test`: turns a log into a test.
struct TestCommand: ToolCommand {
    static let name = "test"
    static let operands = [Operand.logs]
    static let options: [Option] = [.testName, .appendTo, .threads]

    let sentence: String?
    let folder: String?
    let input: LogArguments

    init(_ given: ParsedArguments) throws(UsageError) {
        sentence = given.value(.testName)
        if let sentence, !TestCommand.isFunctionName(sentence) {
            throw UsageError(
                "`--name`: expected a sentence that can name a Swift function: with a letter or "
                    + "digit, no backtick, backslash, line end or space of another kind, and no $ "
                    + "at its start; seen `\(sentence)`")
        }
        folder = given.value(.appendTo)
        input = try LogArguments(given)
    }

    /// Whether a sentence between backticks is the name of a function (SE-0451).
    private static func isFunctionName(_ sentence: String) -> Bool {
        guard sentence.first != "$", sentence == sentence.escaped else { return false }
        return sentence.contains { $0.isLetter || $0.isNumber }
            && sentence.unicodeScalars.allSatisfy {
                $0 == " " || !($0 == "`" || $0 == "\\" || $0.properties.isWhitespace)
            }
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        guard let log = try LogInMemory(input, session) else { return .undetermined }
        if let folder {
            try append(log.lines, to: folder, session)
            return .well
        }
        let rule = try TestCommand.rule(of: log.lines, session)
        let name = sentence ?? rule.map { "what \($0) finds" } ?? "what the log shows"
        do {
            let source = try TestSource.text(log.lines, name: name)
            for line in source.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                try session.output.line(String(line))
            }
        } catch let problem as TestSource.Unwritable {
            session.tell(
                "\(log.name.escaped):\(problem.line): a Swift literal can't hold the "
                    + "line: expected UTF-8 without control characters; use --append-to=DIR")
            return .undetermined
        }
        return .well
    }

    /// The rule of the first of the most severe findings.
    private static func rule(of log: LogLines, _ session: ToolSession) throws -> String? {
        try log.findings(session.rules).min { $0.level.rank < $1.level.rank }?.rule
    }

    /// Writes a log and its expected answers into a folder, under an unused name.
    private func append(_ log: LogLines, to folder: String, _ session: ToolSession) throws {
        let answers = try log.answers().joined(separator: "\n") + "\n"
        let rule = try TestCommand.rule(of: log, session)
        let name = TestCommand.fileName(sentence ?? rule ?? "log")
        var free = name
        var number = 1
        while (try? session.host.kind(of: "\(folder)/\(free).jsonl")) != nil {
            number += 1
            free = "\(name)-\(number)"
        }
        try session.replace("\(folder)/\(free).jsonl", with: log.bytes)
        try session.replace("\(folder)/\(free).expected", with: Array(answers.utf8))
        session.tell("wrote \(EscapedText.escape("\(folder)/\(free)")).jsonl and .expected")
    }

    /// A sentence as a file name: lower case, with words joined by hyphens.
    static func fileName(_ sentence: String) -> String {
        let words = sentence.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return words.isEmpty ? "log" : words.joined(separator: "-")
    }
}
