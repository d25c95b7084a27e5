import PurchaseEvents

/// Colours, used only on a terminal, and not if `NO_COLOR` is set or `TERM` is `dumb`.
struct Style: Sendable {
    private let isColoured: Bool

    init(_ host: any Host, _ stream: ToolStream) {
        let refuses = host.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        let isDumb = host.environment("TERM") == "dumb"
        isColoured = host.isTerminal(stream) && !refuses && !isDumb
    }

    private init(isColoured: Bool) { self.isColoured = isColoured }

    static let plain = Style(isColoured: false)

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    func level(_ level: Level) -> String {
        switch level {
        case .error: paint(level.rawValue, "1;31")
        case .warning: paint(level.rawValue, "1;35")
        case .note: paint(level.rawValue, "1;36")
        }
    }

    /// The name of a verdict: red if bad, green if good, else faint.
    func verdict(_ text: String, _ isBad: Bool?) -> String {
        guard let isBad else { return paint(text, "2") }
        return paint(text, isBad ? "1;31" : "32")
    }

    func strong(_ text: String) -> String { paint(text, "1") }

    func faint(_ text: String) -> String { paint(text, "2") }
}
