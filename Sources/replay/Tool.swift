import PurchaseEvents
import PurchaseProjections

/// The tool: arguments in, bytes out, and an exit status.
enum Tool {
    static let version = "0.1.0"
    static let home = "https://github.com/OWNER/purchase-events"

    /// The address of the page about a rule of the catalogue; `nil` for another rule.
    static func page(ofRule id: String) -> String? {
        RuleCatalogue.all.contains { $0.id == id } ? "\(home)/blob/main/docs/rules/\(id).md" : nil
    }

    /// Parses the arguments, which don't include the tool's own name, and performs the command.
    static func run(
        _ arguments: [String], on host: any Host, rules: [any Rule.Type] = RuleCatalogue.all
    ) -> ToolStatus {
        run(arguments, in: ToolSession(host, rules: rules))
    }

    /// Performs the command in a session that the caller keeps alive.
    static func run(_ arguments: [String], in session: ToolSession) -> ToolStatus {
        do {
            let command = try Parser.parse(arguments, rules: session.rules)
            let status = try command.run(session)
            try session.output.flush()
            return session.ending(status)
        } catch let error as UsageError {
            session.tell(error.message)
            let command = CommandCatalogue.all.first {
                $0.name == arguments.first && !error.isOfTool
            }
            session.tell("see `replay help\(command.map { " \($0.name)" } ?? "")`")
            return .usage
        } catch let error as ToolError {
            // The output before the error is still valid, so flush it.
            try? session.output.flush()
            session.tell(error.message)
            return error.status
        } catch {
            session.tell(EscapedText.escape("\(error)"))
            return .ioFailed
        }
    }
}
