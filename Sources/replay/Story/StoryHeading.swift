import PurchaseEvents
import PurchaseProjections

/// The heading of a story: the subjects of the key, and everything that belongs to the same
/// purchase.
struct StoryHeading {
    private let rows: [(name: String, value: String)]
    private let style: Style

    init(_ scope: StoryScope, _ key: String, _ facts: Facts, style: Style) {
        self.style = style
        var rows: [(String, String)] = scope.subjects.map { ($0.rawValue, key) }
        func add(_ name: String, _ values: [String]) {
            let others = Set(values.map(\.exact)).subtracting([key.exact]).sorted().map(\.text)
            guard !others.isEmpty else { return }
            let shown = others.prefix(5).joined(separator: ", ")
            let more = others.count > 5 ? " and \((others.count - 5).grouped) more" : ""
            rows.append((name + (others.count > 1 ? "s" : ""), shown + more))
        }
        let names = facts.names
        let transactions = scope.transactions
        let isWide = scope.subjects.contains { $0 == .account || $0 == .product }
        add("payment", scope.payments.map { names.text(of: $0) })
        if isWide || scope.subjects == [.payment] {
            add("transaction", transactions.map { names.text(of: $0) })
        } else {
            let restored = transactions.filter { facts[$0].isRestored }
            add("restored by transaction", restored.map { names.text(of: $0) })
            add("original", scope.originals.map { names.text(of: $0) })
        }
        add("product", transactions.compactMap { facts[$0].product.map { names.text(of: $0) } })
        // For each transaction, the account that its earliest statement names, and its final owner.
        let accounts = transactions.flatMap { [facts[$0].account, facts.owner(of: $0)] }
        add("account", accounts.compactMap { $0.map { names.text(of: $0) } })
        self.rows = rows
    }

    func write(log: String?, to output: Output) throws(ToolError) {
        if let log { try output.line(style.strong("# \(log.escaped)")) }
        let width = rows.map { $0.name.count }.max() ?? 0
        for row in rows {
            try output.line(
                style.strong(TextFormat.padded(row.name, width)) + "  " + row.value.escaped)
        }
        try output.line("")
    }
}
