import PurchaseEvents

/// An App Store and the devices of an app in virtual time: a log that nobody wrote by hand.
///
/// Every decision is a number that the ``ChoiceSource`` chooses, and time is the simulation's own,
/// so equal choices give equal events on every platform. The app that it plays behaves well, but
/// for the faults that it is told to plant. Events come in the order of time; memory holds what is
/// open, not what was.
public final class Simulation: IteratorProtocol {
    /// What the simulation is like.
    public let options: SimulationOptions
    let choices: any ChoiceSource
    var names: SimulatedNames
    var agenda = Agenda<StoreTask>()
    /// The true time, in milliseconds since 1970.
    var now: Int64
    /// The accounts that there are so far.
    var accountCount = 0
    /// The mean time between two sessions of an account.
    let pause: Int64
    /// Whether the recorder leaves out what other events imply: a request for the catalogue, a
    /// payment in progress, an entry that leaves the queue, the start of a subscription.
    let isTerse: Bool
    /// Whether the log shows the catalogue, and what it has listed.
    let showsCatalogue: Bool
    var listed = [Bool](repeating: false, count: SimulatedProduct.all.count)
    /// The last issues of the magazine, the newest last.
    var issues: [(content: ContentID<Simulated>, at: Int64)] = []
    /// The faults by their place in the list, and those that were planted by now.
    let isPlanting: [Bool]
    private var wasPlanted = [Bool](repeating: false, count: Fault.allCases.count)
    private let isFaulty: Bool
    /// Whether what the faults need is made to happen more often.
    private let isLeaning: Bool
    /// The last fact that had an `id`, for an `id` that is used again by mistake.
    var lastID: SimulatedText?

    /// The `seq` of the last event recorded; what is recorded past the last line is never seen.
    private(set) var seq: Int64 = 0
    /// What the last tasks recorded, and the place in it of the next event to give.
    private var pending: [Event<Simulated>] = []
    private var first = 0
    private var given = 0
    private var lastGiven: Int64 = 0
    private var plantings: [PlantedFault] = []
    private let decoder = LineDecoder()

    /// A simulation by those choices.
    public init(_ options: SimulationOptions, choices: any ChoiceSource) {
        self.options = options
        self.choices = choices
        names = SimulatedNames(salt: options.salt)
        now = options.start.milliseconds
        isPlanting = Fault.allCases.map { options.faults.contains($0) }
        isFaulty = !options.faults.isEmpty
        isLeaning = options.mix == .adverse || options.faults.count <= Simulation.fewFaults
        pause = options.pause
        isTerse = options.mix == .adverse && choices.choose(below: 4) == 0
        showsCatalogue = options.mix == .ordinary || choices.choose(below: 2) == 1
        let showsIssues = options.mix == .ordinary || choices.choose(below: 2) == 1
        record(.logOpened(LogOpened(schema: 1, app: "com.example.reader")))
        agenda.plan(.joining, at: now + 1_000)
        if showsIssues { planIssue(after: now - 1) }
    }

    /// The next event; `nil` after the last one, and where time has left the years that a log can
    /// hold.
    ///
    /// Costs a decoding; ``appendLine(to:)`` doesn't.
    public func next() -> Event<Written>? {
        var line: [UInt8] = []
        guard (try? appendLine(to: &line)) == true else { return nil }
        line.removeLast()
        guard case .event(let event) = line.withUnsafeBytes({ decoder.decodeWritten($0) }) else {
            preconditionFailure("what is written can be read")
        }
        return event
    }

    /// Appends the canonical line of the next event, and its end of line; `false` after the last
    /// event.
    ///
    /// Throws ``WritingProblem`` where time has left the years that a log can hold.
    public func appendLine(to bytes: inout [UInt8]) throws(WritingProblem) -> Bool {
        guard given < options.events, goOn() else { return false }
        try LineWriter.appendLine(of: pending[first], to: &bytes)
        lastGiven = pending[first].seq
        first += 1
        given += 1
        return true
    }

    /// Performs what comes next until something was recorded; `false` where nothing comes.
    private func goOn() -> Bool {
        guard first == pending.count else { return true }
        pending.removeAll(keepingCapacity: true)
        first = 0
        while pending.isEmpty {
            guard let (time, task) = agenda.next() else { return false }
            now = max(now, time)
            choices.mark()
            perform(task)
        }
        return true
    }

    /// What was planted so far, by line, up to the last event given.
    public var planted: [PlantedFault] {
        plantings.filter { max($0.seq, $0.shownBy) <= lastGiven }.sorted { $0.seq < $1.seq }
    }

    // MARK: Recording

    /// Records a fact and answers its `seq`.
    @discardableResult
    func record(
        _ fact: Fact<Simulated>, of account: SimulatedAccount? = nil,
        on device: SimulatedDevice? = nil, as name: AccountID<Simulated>? = nil,
        id: SimulatedText? = nil, source: NotificationID<Simulated>? = nil,
        environment: Environment? = nil, signedAt: Int64? = nil
    ) -> Int64 {
        seq += 1
        // A clock that is behind may be behind the first instant that there is.
        let at = max(Timestamp(milliseconds: now + (device?.clockOffset ?? 0)), .earliest)
        pending.append(
            Event(
                seq: seq, at: at, id: id, source: source, account: name ?? account?.name,
                device: device?.name, environment: environment ?? account?.environment,
                signedAt: signedAt.map { Timestamp(milliseconds: $0) }, fact))
        return seq
    }

    /// Records a fact on the device that an account uses.
    @discardableResult
    func note(_ fact: Fact<Simulated>, _ account: SimulatedAccount) -> Int64 {
        record(fact, of: account, on: account.device)
    }

    /// Leaves out a number of the sequence.
    func skipNumber() { seq += 1 }

    // MARK: Chance

    /// Whether something unusual happens that happens once in so many times.
    func rarely(_ times: Int64) -> Bool {
        choices.happens(oncePer: options.mix == .ordinary ? times : max(3, times / 16))
    }

    /// A wait of some milliseconds, longer where chance wants it.
    func wait(_ least: Int64, _ most: Int64) -> Int64 {
        choices.number(in: least...max(least, most))
    }

    /// Whether something unusual happens, in an ordinary app more often where it leans to a fault.
    func rarely(_ times: Int64, or fewer: Int64, for faults: Fault...) -> Bool {
        let isSoon = options.mix == .ordinary && faults.contains { leans(to: $0) }
        return isSoon ? choices.happens(oncePer: fewer) : rarely(times)
    }

    /// Whether a fault that is to be planted is planted here.
    func fails(_ fault: Fault) -> Bool {
        guard isFaulty, isPlanting[Int(fault.rawValue)] else { return false }
        // Of few faults each is planted soon, and then now and then.
        let isSoon = isLeaning && !wasPlanted[Int(fault.rawValue)]
        return choices.happens(oncePer: options.mix == .ordinary && !isSoon ? 8 : 2)
    }

    /// Whether what a fault needs should happen more often, so that it takes effect soon: where
    /// all that is unusual does, and where few faults are asked for.
    func leans(to fault: Fault) -> Bool {
        isFaulty && isLeaning && isPlanting[Int(fault.rawValue)]
    }

    /// How many faults are few: an ordinary app that leaned to more would be none.
    private static let fewFaults = 8

    /// Writes down that an event is the one that should not have been.
    func plant(
        _ fault: Fault, at seq: Int64, _ account: SimulatedAccount?,
        as name: AccountID<Simulated>? = nil, key: SimulatedText? = nil, shownBy: Int64 = 0
    ) {
        wasPlanted[Int(fault.rawValue)] = true
        plantings.append(
            PlantedFault(
                fault: fault, seq: seq, account: (name ?? account?.name)?.name.lineText,
                key: key?.lineText, shownBy: shownBy))
    }
}
