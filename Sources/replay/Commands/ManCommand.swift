/// `replay man`: prints the man page.
struct ManCommand: ToolCommand {
    static let name = "man"
    static let summary = "print the man page, for man or groff to format"

    init(_ given: ParsedArguments) throws(UsageError) { try given.atMost(0) }

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line(ManPage.text)
        return .well
    }
}
