/// An example of a command, shown in its help and run by a test.
struct Example: Hashable, Sendable {
    let purpose: String
    /// The command line, to be typed in the root of a clone; `|`, `>` and quotes have their shell
    /// meaning.
    var line = ""
    var status = ToolStatus.well
}
