/// An argument that a command takes by its position: declared once, from which the help, the man
/// page and the completion scripts are made.
struct Operand: Hashable, Sendable {
    /// The name that stands for the argument in the help, such as `LOG`.
    let name: String
    /// What may be given, for completion; the command checks its operands itself.
    let values: ArgumentValues
    /// Whether the argument may be left out.
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
