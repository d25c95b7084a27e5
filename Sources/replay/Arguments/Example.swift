/// A use of a command, shown in its help and run by a test.
struct Example: Hashable, Sendable {
    /// What the command line does, in a few words.
    let purpose: String
    /// The command line as it is typed in the root of a clone; `|`, `>` and quotes are those of a
    /// shell.
    let line: String
    /// The exit status that the command line ends with.
    var status = ToolStatus.well

    init(_ purpose: String, _ line: String, status: ToolStatus = .well) {
        self.purpose = purpose
        self.line = line
        self.status = status
    }
}
