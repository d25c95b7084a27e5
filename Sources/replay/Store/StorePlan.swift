import PurchaseEvents
import PurchaseSimulation

/// What `replay generate --as=app-store` makes: the checked arguments.
struct StorePlan: Sendable {
    /// The folder to make, without a slash at its end.
    let folder: String
    let deliveries: StoreDeliveries
    let hasSamples: Bool

    static let options: [Option] = [.toFolder, .deliveries, .samples]

    /// Reads the arguments; `nil` if a log is asked for.
    init?(_ given: ParsedArguments) throws(UsageError) {
        guard given.value(.generatedAs) == "app-store" else {
            if let extra = StorePlan.options.first(where: { given.has($0) }) {
                throw UsageError("`--\(extra.name)` goes with --as=app-store")
            }
            return nil
        }
        for other in [Option.faults, .plan] where given.has(other) {
            throw UsageError(
                "`--\(other.name)` doesn't go with --as=app-store: its history is that of an app "
                    + "without faults")
        }
        guard let typed = given.value(.toFolder) else {
            throw UsageError("`--as=app-store` makes many files: it needs --to=FOLDER")
        }
        if typed == "-" {
            throw UsageError("`--to` needs a folder: `--as=app-store` makes many files")
        }
        let plain = typed.utf8.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
        folder = plain.isEmpty ? "/" : String(decoding: Array(plain), as: UTF8.self)
        deliveries = given.value(.deliveries).flatMap { StoreDeliveries(rawValue: $0) } ?? .retried
        hasSamples = given.has(.samples)
    }

    /// Throws if a signature could be made before or after the certificates are valid.
    static func checkDates(
        _ options: SimulationOptions, _ given: ParsedArguments
    ) throws(UsageError) {
        let first = Timestamp(milliseconds: 0)
        guard options.start >= first else {
            throw UsageError(
                "`--start`: expected at least `1970-01-01` with --as=app-store, because the App "
                    + "Store writes milliseconds since then")
        }
        let span = options.start.distance(to: options.latestEnd) / Timestamp.day
        guard span <= SimulatedAppStore.longestDays else {
            throw UsageError(
                "`--days`: with --as=app-store the log and its last renewals may take "
                    + "\(SimulatedAppStore.longestDays.counted("day")), for which the "
                    + "certificates are valid, but may take \(Int(span).counted("day")): "
                    + "give fewer --days, or fewer --events an account")
        }
    }
}
