import PurchaseEvents
import PurchaseSimulation

/// `replay generate`: generates a log with the simulated App Store.
struct GenerateCommand: ToolCommand {
    static let name = "generate"
    static let summary = "generate a log with the simulated App Store"
    static let options: [Option] = [
        .seed, .events, .accounts, .days, .start, .store, .faults, .plan, .generatedAs, .toFolder,
        .deliveries, .samples,
    ]
    static var details: String {
        let width = Fault.allCases.map { $0.name.count }.max() ?? 0
        let faults = Fault.allCases.map { "  \(TextFormat.padded($0.name, width))  \($0.rule)" }
        return """
            The log goes to standard output. Equal arguments give equal bytes on every platform.
            Without faults the simulated app behaves well, and `replay check` finds no error and no
            warning.

            --store=today adds what the guide doesn't know: customers with up to three devices, each
            of which hears of every purchase; yearly plans that are paid month by month; seats and
            family plans; offers for new, returning and leaving subscribers; changes of plan that
            only the new transaction tells; renewals made hours ahead and taken back; extensions;
            refunds of a part of a consumable; and renewals that name the first account for ever.

            --as=app-store makes a folder with what Apple's servers would send and answer for a
            history of today's store in which unusual things happen often, to test a server with:
              notifications.jsonl   the webhook's bodies, one a line, in the order of arrival
              deliveries.jsonl      beside each: arrivesAt, attempt, notification, type, subtype,
                                    original, customer, sample
              history/, status/, refunds/, notification-history.N.json
                                    pages of the App Store Server API, signed at the end; a
                                    customer's under the first original transaction: customer
              root.pem              the root of the authority that signs, for --root of import; its
                                    keys follow from the seed, so trust it in tests alone
              log.jsonl             the history as a perfect app and server record it
              expected/             the rows of `replay show` at the end of the log that follow
                                    from what the App Store states, without granted and quantity,
                                    which only the app knows; after.jsonl: the rows of the customer
                                    after each body

            --plan=FILE writes for each fault that took effect: fault, rule (the rule that finds
            the fault), seq (the event that breaks it), account, key. Faults that took no effect are
            listed on standard error.

            Faults, and the rule that finds each:
            \(faults.joined(separator: "\n"))
            """
    }
    static let examples = [
        Example("a log of 1,000 events", "replay generate --seed=5 > generated.jsonl"),
        Example(
            "what Apple's servers would send and answer, signed",
            "replay generate --as=app-store --to=store --events=200"),
        Example(
            "does a rule find the fault that was planted?",
            "replay generate --faults=delivers-twice | replay check -", status: .violated),
    ]

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
                    + "\(TextFormat.count(days, "day")) (--days) and the last renewals must end "
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
        if plan == "-" {
            throw UsageError("`--plan` needs a file: standard output takes the log")
        }
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

    /// Makes the folder of a simulated App Store.
    private func makeStore(_ plan: StorePlan, _ session: ToolSession) throws -> ToolStatus {
        let folder = try NewFolder(plan.folder, session.host)
        defer { folder.discard() }
        let store = SimulatedAppStore(
            simulation, choices: SeededChoices(seed: seed), deliveries: plan.deliveries,
            hasSamples: plan.hasSamples)
        let writer = StoreFolder(store: store, folder: folder, threads: session.host.cores)
        let pages = try writer.write()
        try folder.finish()
        let shown = EscapedText.escape(plan.folder)
        session.tell(
            "\(shown): \(TextFormat.count(store.count, "body", "bodies")) of "
                + "\(TextFormat.count(store.notificationCount, "notification")), "
                + "\(TextFormat.count(pages, "page")); the expected rows are as of "
                + store.end.text)
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
