import PurchaseIncidents

extension InputLog {
    /// The files of the log, for the library of the incident commands.
    var logParts: LogParts {
        LogParts(parts.map { part in LogParts.Part(path: part.path) { try part.source() } })
    }
}
