import PurchaseEvents

/// `replay generate`: a log from the simulated App Store.
struct GenerateCommand: ToolCommand {
    static let name = "generate"
    static let summary = "make up a log by the simulated App Store"
    static let operands = ""
    static let options: [Option] = [
        .seed, .events, .accounts, .days, .start, .faults, .plan,
    ]
    static var details: String {
        let width = Fault.allCases.map { $0.name.count }.max() ?? 0
        let faults = Fault.allCases.map { "  \(Words.padded($0.name, width))  \($0.rule)" }
        return """
            The log goes to standard output. Equal arguments give equal bytes on every platform.
            Without faults the app behaves well, and `replay check` finds no error and no warning.

            --plan=FILE says of each fault that took effect: fault, rule (the rule that notices
            it), seq (the event that should not have been), account, key.

            Faults, and the rule that notices each:
            \(faults.joined(separator: "\n"))
            """
    }

    let seed: UInt64
    let simulation: SimulationOptions
    let plan: String?

    init(_ given: Given) throws(UsageError) {
        try given.atMost(0)
        seed = UInt64(try given.number(.seed, in: 0...Int64.max) ?? 1)
        let events = Int(try given.number(.events, in: 1...1_000_000_000) ?? 1_000)
        let accounts = try given.number(.accounts, in: 1...10_000_000).map { Int($0) }
        let days = Int(try given.number(.days, in: 1...36_500) ?? 365)
        var options = SimulationOptions(
            events: events, accounts: accounts ?? max(1, events / 100), days: days)
        if let start = try given.time(.start) { options.start = start }
        options.salt = seed
        options.faults = try GenerateCommand.faults(given)
        simulation = options
        plan = given.value(.plan)
    }

    private static func faults(_ given: Given) throws(UsageError) -> Set<Fault> {
        guard let list = given.value(.faults), list != "none" else { return [] }
        if list == "all" { return Set(Fault.allCases) }
        var faults: Set<Fault> = []
        for name in list.split(separator: ",") {
            guard let fault = Fault(name: String(name)) else {
                throw UsageError(
                    unknown: "fault", String(name), among: Fault.allCases.map(\.name),
                    command: given.command)
            }
            faults.insert(fault)
        }
        return faults
    }

    func run(_ session: ToolSession) throws -> ToolStatus {
        let run = Simulation(simulation, choices: SeededChoices(seed: seed))
        var isOver = false
        while !isOver {
            try session.output.append { bytes throws(WritingProblem) in
                isOver = try !run.appendLine(to: &bytes)
            }
        }
        try session.output.flush()
        if let plan { try write(run.planted, to: plan, session) }
        return .well
    }

    private func write(
        _ planted: [PlantedFault], to path: String, _ session: ToolSession
    ) throws(ToolError) {
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
        let bytes = Array(text.utf8)
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(SystemProblem) in try session.host.create(path, bytes) }
        }
        do {
            try result.get()
        } catch {
            throw .ioFailed("cannot write `\(EscapedText.escape(path))`: \(error.words)")
        }
    }
}
