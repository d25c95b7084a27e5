import PurchaseEvents
import PurchaseProjections

/// `replay show`: what a log comes to.
struct ShowCommand: ToolCommand {
    static let name = "show"
    static let summary = "fold a log into rows: entitlements, pending work and more"
    static let operands = "PROJECTION LOG…"
    static let options: [Option] = [
        .format([.text, .json]), .asOf, .untilSeq, .until, .accountOfRows, .nonRenewing,
    ]
    static var details: String { "" }
    init(_ given: Given) throws(UsageError) {}
    func run(_ session: ToolSession) throws -> ExitStatus { .well }
}
