import PurchaseEvents

/// `replay import`: App Store data turned into a log.
struct ImportCommand: ToolCommand {
    static let name = "import"
    static let summary = "turn App Store data into a log"
    static let operands = "SOURCE FILE…"
    static let options: [Option] = [.recordedAt, .sharedSecretFile]
    static var details: String { "" }
    init(_ given: Given) throws(UsageError) {}
    func run(_ session: ToolSession) throws -> ExitStatus { .well }
}
