import PurchaseEvents

/// The progress line of a long run, shown on standard error if that is a terminal.
final class Progress {
    private let session: ToolSession
    private let totalBytes: Int?
    /// The noun for the things that the run counts, in the plural.
    private let unit: String
    private var finishedCounts = LineCounts()
    private var nextUpdate = Duration.seconds(1)
    /// The width of the line in columns; 0 if no line is shown.
    private var shownWidth = 0
    private let clears: Bool

    /// The progress over the logs of a run; `nil` if standard error isn't a terminal.
    convenience init?(_ session: ToolSession, _ logs: [InputLog]) {
        self.init(
            session,
            totalBytes: logs.reduce(0) { sum, log in
                sum.flatMap { sum in log.size.map { sum + $0 } }
            })
    }

    /// The progress over a number of bytes, if known; `nil` if standard error isn't a terminal.
    init?(_ session: ToolSession, totalBytes: Int?, unit: String = "events") {
        guard session.host.isTerminal(.error) else { return nil }
        (self.session, self.totalBytes, self.unit) = (session, totalBytes, unit)
        clears = session.host.environment("TERM") != "dumb"
    }

    /// Updates the line, at most ten times a second and never in the first second.
    func show(_ counts: LineCounts) {
        let elapsed = session.host.elapsed
        guard elapsed >= nextUpdate else { return }
        nextUpdate = elapsed + .milliseconds(100)
        let seconds =
            Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let bytes = finishedCounts.bytes + counts.bytes
        let speed = Double(bytes) / seconds
        var words =
            "\((finishedCounts.events + counts.events).grouped) \(unit), "
            + "\(Int(speed / 1e6).grouped) MB/s"
        if let totalBytes, speed > 0, totalBytes > bytes {
            words += ", \((Int(Double(totalBytes - bytes) / speed) + 1).grouped) s left"
        }
        let rest = clears ? "\u{1B}[K" : TextFormat.spaces(shownWidth - words.utf8.count)
        session.writeError("\r\(words)\(rest)")
        shownWidth = words.utf8.count
    }

    /// Adds the counts of a finished log, and removes the line so that it doesn't mix with output.
    func finish(_ counts: LineCounts) {
        finishedCounts.bytes += counts.bytes
        finishedCounts.events += counts.events
        clear()
    }

    /// Removes the line until the next call of ``show(_:)``.
    func clear() {
        guard shownWidth > 0 else { return }
        session.writeError(clears ? "\r\u{1B}[K" : "\r\(TextFormat.spaces(shownWidth))\r")
        shownWidth = 0
    }
}
