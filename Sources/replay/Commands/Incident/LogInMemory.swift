import PurchaseEvents
import PurchaseIncidents

/// The single log of a command, held in memory up to the place where reading stops.
struct LogInMemory {
    let name: String
    private(set) var lines = LogLines()
    let places: LinePlaces
    let isUnderstood: Bool

    /// Reads the log that the arguments name; `nil` if the input isn't a log, or has only blank
    /// lines.
    init?(_ input: LogArguments, _ session: ToolSession) throws {
        guard let log = try session.oneLog(input.paths, keepingEmpty: false) else { return nil }
        name = log.name
        let pass = LogPass(session: session, log: log, input: input)
        var held = LogLines()
        let (counts, places) = try pass.read(pass.reader(), Progress(session, [log])) { lines in
            for line in lines { held.append(line.bytes) }
        }
        lines = held
        self.places = places
        isUnderstood = counts.notUnderstood == 0
        // The reader has said so.
        guard !counts.isBlank else { return nil }
        session.tellNotUnderstood(counts, in: log)
    }
}
