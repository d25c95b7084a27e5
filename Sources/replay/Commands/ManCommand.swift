/// `replay man`: prints the man page.
struct ManCommand: ToolCommand {
    static let name = "man"
    static let summary = "print the man page, for man or groff to format"
    static let details = """
        The page holds the help of every command. To read it: `replay man | man -l -`, or on macOS
        `replay man | mandoc | less`. To install it, write it to replay.1 in a folder of man pages,
        such as ~/.local/share/man/man1.
        """
    static let examples = [Example("a page to install", "replay man > replay.1")]

    init(_ given: ParsedArguments) throws(UsageError) { try given.atMost(0) }

    func run(_ session: ToolSession) throws -> ToolStatus {
        try session.output.line(ManPage.text)
        return .well
    }
}
