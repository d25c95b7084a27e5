import PurchaseEvents
import PurchaseProjections

/// `replay explain`: the life of one purchase, line by line.
struct ExplainCommand: ToolCommand {
    static let name = "explain"
    static let summary = "tell the life of one purchase, line by line"
    static let operands = "KEY LOG…"
    static let options: [Option] = [
        .format([.text, .json]), .untilSeq, .until, .accountOfLines,
    ]
    static var details: String { "" }
    init(_ given: Given) throws(UsageError) {}
    func run(_ session: ToolSession) throws -> ExitStatus { .well }
}
