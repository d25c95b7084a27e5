/// `replay man`: prints the man page.
struct ManCommand: ToolCommand {
    static let name = "man"

    init(_ given: ParsedArguments) throws(UsageError) { try given.atMost(0) }

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line(ManPage.text)
        return .well
    }
}
