/// A positional argument, from whose declaration help, man page and completion scripts come.
struct Operand: Hashable, Sendable {
    let name: String
    /// The values to complete; the command itself checks its operands.
    let values: ArgumentValues
    var isOptional = false
    var repeats = false

    /// The operand as the help shows it: `LOG…`, `[ID]`.
    var usage: String {
        let name = name + (repeats ? "…" : "")
        return isOptional ? "[\(name)]" : name
    }
}

extension Operand {
    static let log = Operand(name: "LOG", values: .path)

    static let logs = Operand(name: "LOG", values: .path, repeats: true)
}
