import PurchaseEvents

/// An App Store and the devices of an app in virtual time, which generate a realistic log.
///
/// Every decision is a number from the ``ChoiceSource`` and the time is virtual, so equal choices
/// give equal events on every platform. The simulated app behaves correctly, except for the faults
/// in the options. Events come in the order of the true time, although the clock of a device may be
/// wrong. Memory holds accounts, open purchases and planted faults, not the history.
public final class Simulation: IteratorProtocol {
    /// The options of the simulation.
    public let options: SimulationOptions
    let choices: any ChoiceSource
    var names: SimulatedNames
    var agenda = Agenda<StoreTask>()
    /// The true time in milliseconds since 1970.
    var now: Int64
    var accountCount = 0
    /// The mean time between two sessions of an account, in milliseconds.
    let pause: Int64
    /// Whether the recorder omits events that others imply: catalogue requests, payments in
    /// progress, entries leaving the queue, and subscription starts.
    let isTerse: Bool
    /// Whether the store does what today's App Store does.
    let isToday: Bool
    /// The number of products on sale, and the indices of the subscriptions among them.
    let productCount: Int
    let subscriptionProducts: [Int]
    /// Whether the log shows the catalogue, and whether each product was listed.
    let showsCatalogue: Bool
    var listed = [Bool](repeating: false, count: SimulatedProduct.all.count)
    /// The recent issues of the magazine, the newest last.
    var issues: [(content: ContentID<Written>, at: Int64)] = []
    /// Whether to plant each fault, and whether each was planted already; indexed by raw value.
    let isPlanting: [Bool]
    private var wasPlanted = [Bool](repeating: false, count: Fault.allCases.count)
    private let isFaulty: Bool
    /// Whether to make the situations that faults need more frequent.
    private let favorsFaults: Bool
    /// The most recent `id` of a fact, for the fault that reuses one.
    var lastID: String?
    /// The offers redeemed for a next renewal, of which servers hear and a log doesn't tell; kept
    /// for a simulated App Store alone.
    var redemptions: [OfferRedemption] = []

    /// The last `seq` used or skipped; events after the requested number are never returned.
    private(set) var seq: Int64 = 0
    /// The events recorded by the latest tasks, and the index of the next one to return.
    private var pending: [Event<Written>] = []
    private var first = 0
    private var given = 0
    private var lastGiven: Int64 = 0
    private var plantings: [Planting] = []
    private let decoder = LineDecoder()

    /// Creates a simulation from choices.
    public init(_ options: SimulationOptions, choices: any ChoiceSource) {
        (self.options, self.choices) = (options, choices)
        names = SimulatedNames(salt: options.salt)
        now = options.start.milliseconds
        isPlanting = Fault.allCases.map { options.faults.contains($0) }
        isFaulty = !options.faults.isEmpty
        favorsFaults =
            options.mix == .adverse || options.faults.count <= Simulation.favoredFaultLimit
        pause = options.pause
        let isToday = options.store == .today
        self.isToday = isToday
        let productCount = isToday ? SimulatedProduct.all.count : SimulatedProduct.countInGuide
        self.productCount = productCount
        subscriptionProducts = SimulatedProduct.subscriptions.filter { $0 < productCount }
        isTerse = options.mix == .adverse && choices.choose(below: 4) == 0
        showsCatalogue = options.mix == .ordinary || choices.choose(below: 2) == 1
        let showsIssues = options.mix == .ordinary || choices.choose(below: 2) == 1
        record(.logOpened(.init(schema: 1, app: "com.example.reader")))
        agenda.plan(.joining, at: now + 1_000)
        if showsIssues { planIssue(after: now - 1) }
    }

    /// The next event, or `nil` after the last one or once the time exceeds the years that a log
    /// can hold.
    ///
    /// Each call decodes a line; ``appendLine(to:)`` doesn't.
    public func next() -> Event<Written>? {
        var line: [UInt8] = []
        guard (try? appendLine(to: &line)) == true else { return nil }
        line.removeLast()
        guard case .event(let event) = line.withUnsafeBytes({ decoder.decodeWritten($0) }) else {
            preconditionFailure("every written line must be readable")
        }
        return event
    }

    /// Appends the canonical line of the next event with its newline; returns `false` after the
    /// last event.
    ///
    /// Throws `WritingProblem` once the time exceeds the years that a log can hold.
    public func appendLine(to bytes: inout [UInt8]) throws(WritingProblem) -> Bool {
        guard given < options.events, advance() else { return false }
        try LineWriter.append(pending[first], to: &bytes)
        lastGiven = pending[first].seq
        first += 1
        given += 1
        return true
    }

    /// Performs tasks until an event was recorded; returns `false` if no task is left.
    private func advance() -> Bool {
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

    /// The faults planted so far, by `seq`, up to the last event returned.
    public var planted: [PlantedFault] {
        plantings.filter { planting in
            max(planting.planted.seq, planting.planted.shownBy) <= lastGiven
                && planting.excusedBy.map { $0 > lastGiven } ?? true
        }.map(\.planted).sorted { $0.seq < $1.seq }
    }

    // MARK: Recording

    /// Records a fact and returns its `seq`.
    @discardableResult
    func record(
        _ fact: Fact<Written>, of account: SimulatedAccount? = nil,
        on device: SimulatedDevice? = nil, as name: AccountID<Written>? = nil,
        id: String? = nil, source: NotificationID<Written>? = nil,
        environment: Environment? = nil, signedAt: Int64? = nil
    ) -> Int64 {
        seq += 1
        // A clock that is behind may be before the earliest time that a log can hold.
        let at = max(Timestamp(milliseconds: now + (device?.clockOffset ?? 0)), .earliest)
        pending.append(
            Event(
                seq: seq, at: at, id: id, source: source, account: name ?? account?.name,
                device: device?.name, environment: environment ?? account?.environment,
                signedAt: signedAt?.time, fact))
        return seq
    }

    /// Records a fact on the device that the account currently uses.
    @discardableResult
    func note(_ fact: Fact<Written>, _ account: SimulatedAccount) -> Int64 {
        record(fact, of: account, on: account.device)
    }

    func skipNumber() { seq += 1 }

    /// The current time in whole seconds, as the store states it.
    var thisSecond: Int64 { now / 1_000 * 1_000 }

    // MARK: Chance

    /// Whether something unusual happens: once in `times` times in an ordinary mix, up to 16 times
    /// as often in an adverse one.
    func rarely(_ times: Int64) -> Bool {
        choices.happens(oncePer: options.mix == .ordinary ? times : max(3, times / 16))
    }

    /// A delay between two bounds in milliseconds.
    func wait(_ least: Int64, _ most: Int64) -> Int64 {
        choices.number(in: least...max(least, most))
    }

    /// Whether something unusual happens; once in `fewer` times if an ordinary mix favors one of
    /// the faults.
    func rarely(_ times: Int64, or fewer: Int64, for faults: Fault...) -> Bool {
        let isSoon = options.mix == .ordinary && faults.contains { favors($0) }
        return isSoon ? choices.happens(oncePer: fewer) : rarely(times)
    }

    /// Whether to plant a fault here.
    func fails(_ fault: Fault) -> Bool {
        guard isFaulty, isPlanting[Int(fault.rawValue)] else { return false }
        // The first planting of a fault comes soon if few faults are requested, later ones now and
        // then.
        let isSoon = favorsFaults && !wasPlanted[Int(fault.rawValue)]
        return choices.happens(oncePer: options.mix == .ordinary && !isSoon ? 8 : 2)
    }

    /// Whether to make situations that a fault needs more frequent, so that it takes effect soon:
    /// in an adverse mix, or if few faults are requested.
    func favors(_ fault: Fault) -> Bool {
        isFaulty && favorsFaults && isPlanting[Int(fault.rawValue)]
    }

    /// The maximum number of faults that an ordinary mix favors; with more, the mix would not be
    /// ordinary.
    private static let favoredFaultLimit = 8

    /// A planted fault, and what may excuse it.
    private struct Planting {
        var planted: PlantedFault
        var at: Int64
        /// The transaction whose end excuses the fault, if the store states it soon.
        var ending: TransactionID<Written>?
        /// The `seq` of that statement.
        var excusedBy: Int64?
    }

    /// Records that an event is a planted fault.
    func plant(
        _ fault: Fault, at seq: Int64, _ account: SimulatedAccount?,
        as name: AccountID<Written>? = nil, key: String? = nil, shownBy: Int64 = 0,
        excusedByEndOf ending: TransactionID<Written>? = nil
    ) {
        wasPlanted[Int(fault.rawValue)] = true
        let planted = PlantedFault(
            fault: fault, seq: seq, account: (name ?? account?.name)?.name, key: key,
            shownBy: shownBy)
        plantings.append(Planting(planted: planted, at: now, ending: ending))
    }

    /// Excuses the faults of the last five minutes that the end of a transaction excuses.
    ///
    /// The clocks of two recorders may differ by as much, so the app may have known the end before.
    func excuseFaults(byEndOf transaction: TransactionID<Written>) {
        for place in plantings.indices.reversed() {
            guard now - plantings[place].at <= 5 * Timestamp.minute else { return }
            if plantings[place].ending == transaction, plantings[place].excusedBy == nil {
                plantings[place].excusedBy = seq
            }
        }
    }
}

extension Int64 {
    /// The time that is this many milliseconds after 1970.
    var time: Timestamp { Timestamp(milliseconds: self) }
}
