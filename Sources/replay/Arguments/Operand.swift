/// A positional argument of a command.
///
/// Help, man page and completion scripts all come from this declaration.
struct Operand: Hashable, Sendable {
    /// The argument's name in the help, such as `LOG`.
    let name: String
    /// The values to complete; the command itself checks its operands.
    let values: ArgumentValues
    var isOptional = false
    /// Whether the argument may be given more than once.
    var repeats = false

    /// The operand as the help shows it: `LOG…`, `[ID]`.
    var usage: String {
        let name = name + (repeats ? "…" : "")
        return isOptional ? "[\(name)]" : name
    }
}

extension Operand {
    /// One log: a file, a folder or `-`.
    static let log = Operand(name: "LOG", values: .path)

    /// One or more logs: files, folders or `-`.
    static let logs = Operand(name: "LOG", values: .path, repeats: true)
}
