import PurchaseEvents
import PurchaseIncidents

/// The one log of a command, held in memory up to where reading stops.
struct HeldLog {
    /// The name of the log in messages.
    let name: String
    /// The lines of the log.
    private(set) var lines = LogLines()
    /// Where the lines lie in the files of the log.
    let places: LinePlaces
    /// Whether the log lies in several files.
    let isInParts: Bool
    /// Whether every line was understood.
    let isUnderstood: Bool

    /// Reads the log that the arguments name; `nil` where the input is no log.
    init?(
        _ paths: [String], for command: String, stop: ReadingStop, threads: Int?,
        _ session: ToolSession
    ) throws {
        guard let log = try session.oneLog(paths, for: command) else { return nil }
        name = log.name
        isInParts = log.parts.count > 1
        let pass = LogPass(session: session, log: log, stop: stop, threads: threads)
        var held = LogLines()
        let (counts, places) = try pass.read(pass.reader(), Progress(session, [log])) { lines in
            for line in lines { held.append(line.bytes) }
        }
        lines = held
        self.places = places
        isUnderstood = counts.notUnderstood == 0
        session.tellNotUnderstood(counts, in: log)
    }
}
