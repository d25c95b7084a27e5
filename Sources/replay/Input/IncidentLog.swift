import PurchaseIncidents

extension InputLog {
    /// The files of the log, in the form that PurchaseIncidents reads.
    var logParts: LogParts {
        LogParts(parts.map { part in LogParts.Part(path: part.path) { try part.source() } })
    }
}
