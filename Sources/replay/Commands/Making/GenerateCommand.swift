import PurchaseEvents
import PurchaseSimulation

/// `replay generate`: generates a log with the simulated App Store.
struct GenerateCommand: ToolCommand {
    static let name = "generate"
    static let options: [Option] = [
        .seed, .events, .accounts, .days, .start, .store, .faults, .plan, .generatedAs, .toFolder,
        .deliveries, .samples,
    ]
    static var lists: [String: String] {
        ["faults": HelpText.list(Fault.allCases.map { ($0.name, $0.rule) })]
    }

    let seed: UInt64
    let simulation: SimulationOptions
    let plan: String?
    /// The folder of a simulated App Store to make; `nil` makes a log.
    let store: StorePlan?

    init(_ given: ParsedArguments) throws(UsageError) {
        try given.atMost(0)
        store = try StorePlan(given)
        seed = try given.number(.seed, in: 0...UInt64.max) ?? 1
        let events = try given.number(.events, in: 1...1_000_000_000) ?? 1_000
        let accounts = try given.number(.accounts, in: 1...10_000_000)
        let days = try given.number(.days, in: 1...36_500) ?? 365
        var options = SimulationOptions(
            events: events, accounts: accounts ?? max(1, events / 100), days: days)
        if let start = try given.time(.start) { options.start = start }
        guard options.latestEnd.isWritable else {
            let spare = options.latestEnd.distance(to: .latest)
            let latest = options.start.advanced(byMilliseconds: spare)
            throw UsageError(
                "`--start`: expected at most `\(latest.text.prefix(10))`, seen "
                    + "`\(given.value(.start) ?? TextFormat.dayOrTime(options.start))`: "
                    + "\(days.counted("day")) (--days) and the last renewals must end "
                    + "before the year 10000")
        }
        if store != nil {
            // A server is tested by what is unusual.
            options.mix = .adverse
            try StorePlan.checkDates(options, given)
        }
        options.salt = seed
        options.store =
            given.value(.store).flatMap(SimulationOptions.Store.init(rawValue:))
            ?? (store == nil ? .guide : .today)
        options.faults = try GenerateCommand.faults(given)
        simulation = options
        plan = given.value(.plan)
        if plan == "-" { throw UsageError("`--plan` needs a file: standard output takes the log") }
    }

    private static func faults(_ given: ParsedArguments) throws(UsageError) -> Set<Fault> {
        guard let list = given.value(.faults), list != "none" else { return [] }
        if list == "all" { return Set(Fault.allCases) }
        var faults: Set<Fault> = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            if name.isEmpty {
                throw UsageError(
                    "`--faults`: expected a name on each side of a comma, seen `\(list)`")
            }
            if name == "all" || name == "none" {
                throw UsageError("`--faults`: expected `\(name)` alone, seen `\(list)`")
            }
            guard let fault = Fault(name: name) else {
                throw UsageError(unknown: "fault", name, among: Fault.allCases.map(\.name))
            }
            faults.insert(fault)
        }
        return faults
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        if let store { return try makeStore(store, session) }
        // If the plan can't be written, don't write a log either.
        let file = try plan.map { path in
            try ToolError.asking(to: .write, path, try session.host.create(path))
        }
        let run = Simulation(simulation, choices: SeededChoices(seed: seed))
        do {
            var isOver = false
            while !isOver {
                try session.output.append { bytes throws(WritingProblem) in
                    isOver = try !run.appendLine(to: &bytes)
                }
            }
        } catch is WritingProblem {
            throw ToolError.ioFailed(
                "the log would go past the year 9999, so it ends too early: give an earlier "
                    + "--start or fewer --days")
        }
        try session.output.flush()
        let planted = run.planted
        if let plan, let file {
            let text = Array(GenerateCommand.text(of: planted).utf8)
            try ToolError.asking(to: .write, plan, try text.withBytes(file.write))
        }
        tellUnplanted(planted, session)
        return .well
    }

    private func makeStore(_ plan: StorePlan, _ session: ToolSession) throws -> ToolStatus {
        let folder = try NewFolder(plan.folder, session.host)
        defer { folder.discard() }
        let store = SimulatedAppStore(
            simulation, choices: SeededChoices(seed: seed), deliveries: plan.deliveries,
            hasSamples: plan.hasSamples)
        let writer = StoreFolder(store: store, folder: folder, threads: session.host.cores)
        let pages = try writer.write()
        try folder.finish()
        let shown = plan.folder.escaped
        session.tell(
            "\(shown): \(store.count.counted("body", "bodies")) of "
                + "\(store.notificationCount.counted("notification")), "
                + "\(pages.counted("page")); the expected rows are as of " + store.end.text)
        session.tell("`replay import app-store \(shown) --root=\(shown)/root.pem` reads it back")
        return .well
    }

    /// Lists the requested faults that had no effect.
    private func tellUnplanted(_ planted: [PlantedFault], _ session: ToolSession) {
        let missing = simulation.faults.subtracting(planted.map(\.fault))
        guard !missing.isEmpty else { return }
        let names = Fault.allCases.filter { missing.contains($0) }.map { "`\($0.name)`" }
        session.tell(
            "not planted, because this log has no opportunity for them: "
                + "\(names.joined(separator: ", ")); try more --events or another --seed")
    }

    private static func text(of planted: [PlantedFault]) -> String {
        var text = ""
        for planting in planted {
            var object = JSONText()
            object.add("fault", planting.fault.name)
            object.add("rule", planting.fault.rule)
            object.add("seq", planting.seq)
            object.add("account", planting.account)
            object.add("key", planting.key)
            text += object.text + "\n"
        }
        return text
    }
}
