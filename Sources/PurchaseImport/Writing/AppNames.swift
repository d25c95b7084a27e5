import PurchaseEvents

/// Finds the environment of all facts of an import.
struct AppEnvironments {
    private var all: Set<Environment?> = []

    /// The environment of the log's first line, which then holds for the log: that of all facts, if
    /// each states the same one and it isn't production.
    var environment: Environment? {
        guard all.count == 1, let one = all.first, one != .production else { return nil }
        return one
    }

    mutating func take(_ source: StatedSource) {
        if source.received != nil || !source.facts.isEmpty { all.insert(source.environment) }
    }
}

/// Finds the one app that the records of an import name.
struct AppNames {
    private var name: String?
    private var hasSeveralApps = false

    /// The app, or `nil` if records name none or several.
    var app: String? { hasSeveralApps ? nil : name }

    /// Adds the app of a record, and a remark on the first app that differs.
    mutating func take(_ source: StatedSource, _ remarks: inout LimitedRemarks) {
        guard let other = source.app, !hasSeveralApps else { return }
        if let name, name != other {
            hasSeveralApps = true
            remarks.add(
                .warning, at: source.place,
                "seen the apps `\(EscapedText.escape(name))` and `\(EscapedText.escape(other))`; "
                    + "a log is for one app")
        }
        name = other
    }
}
