/// An example of a command, shown in its help and run by a test.
struct Example: Hashable, Sendable {
    /// The purpose of the command line, in a few words.
    let purpose: String
    /// The command line, to be typed in the root of a clone; `|`, `>` and quotes have their shell
    /// meaning.
    var line = ""
    var status = ToolStatus.well
}
