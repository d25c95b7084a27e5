import PurchaseEvents

/// How far a long run is, on standard error where somebody looks at it.
final class Progress {
    private let session: ToolSession
    private let totalBytes: Int?
    private var before = LineCounts()
    private var next = Duration.seconds(1)
    /// How many columns are written on; 0 where nothing is shown.
    private var shownWidth = 0
    /// Whether the terminal can clear the rest of a line.
    private let clears: Bool

    /// The progress over logs; `nil` where nobody looks.
    convenience init?(_ session: ToolSession, _ logs: [InputLog]) {
        self.init(
            session,
            totalBytes: logs.reduce(0) { sum, log in
                sum.flatMap { sum in log.size.map { sum + $0 } }
            })
    }

    /// The progress over so many bytes, where that is known; `nil` where nobody looks.
    init?(_ session: ToolSession, totalBytes: Int?) {
        guard session.host.isTerminal(.error) else { return nil }
        self.session = session
        self.totalBytes = totalBytes
        clears = session.host.environment("TERM") != "dumb"
    }

    /// Shows it, at most ten times a second and never in the first second.
    func show(_ counts: LineCounts) {
        let elapsed = session.host.elapsed
        guard elapsed >= next else { return }
        next = elapsed + .milliseconds(100)
        let seconds =
            Double(elapsed.components.seconds)
            + Double(elapsed.components.attoseconds) / 1e18
        let bytes = before.bytes + counts.bytes
        let speed = Double(bytes) / seconds
        var words =
            "\(Words.grouped(before.events + counts.events)) events, "
            + "\(Words.grouped(Int(speed / 1e6))) MB/s"
        if let totalBytes, speed > 0, totalBytes > bytes {
            words += ", \(Words.grouped(Int(Double(totalBytes - bytes) / speed) + 1)) s left"
        }
        let rest = clears ? "\u{1B}[K" : Words.spaces(shownWidth - words.utf8.count)
        session.writeError("\r\(words)\(rest)")
        shownWidth = words.utf8.count
    }

    /// A log was read: takes the line away, so that it doesn't mix with what is printed.
    func finish(_ counts: LineCounts) {
        before.bytes += counts.bytes
        before.events += counts.events
        guard shownWidth > 0 else { return }
        session.writeError(clears ? "\r\u{1B}[K" : "\r\(Words.spaces(shownWidth))\r")
        shownWidth = 0
    }
}
