import PurchaseEvents
import PurchaseProjections

/// Asks the same question of selections of a log's slice, to find the lines that the answer needs.
struct ReasonSearch {
    private let answerer: Answerer
    var requestedInstant: Timestamp? { answerer.requestedInstant }
    let answer: Answer
    /// The lines of the slice, and their indices in the whole log.
    let slice: LogLines
    let numbers: [Int]
    /// The number of lines that may still be folded in the search for overridden and preventing
    /// lines.
    var effort = 0

    init(_ answerer: Answerer, _ answer: Answer, _ numbers: [Int], of lines: LogLines) {
        (self.answerer, self.answer, self.numbers) = (answerer, answer, numbers)
        slice = lines.taking(numbers)
    }

    var everything: [Int] { Array(numbers.indices) }

    /// The answer of the lines at some places in the slice.
    func ask(_ places: [Int]) throws -> Answer {
        try answerer.answer(slice.taking(places)) { numbers[places[$0 - 1]] + 1 }
    }

    /// Whether all lines give the answer.
    func isComplete() throws -> Bool { try ask(everything).isSame(as: answer) }

    func show() throws -> Show {
        try slice.show(answerer.question.projection.map { [$0] } ?? [], asOf: requestedInstant)
    }

    /// The facts of the slice, of every instant.
    func wholeFacts() throws -> Facts { try slice.show([]).facts }

    func transactions(naming account: String) throws -> Set<String> {
        let decoder = LineDecoder()
        var named: [(account: AccountHandle, transaction: TransactionHandle)] = []
        try slice.read(decoder) { lines in
            for line in lines {
                guard let event = line.event, let account = event.account,
                    let transaction = event.transaction
                else { continue }
                named.append((account, transaction))
            }
        }
        guard let account = decoder.names.find(AccountID<Written>(account)) else { return [] }
        return Set(
            named.lazy.filter { $0.account == account }
                .map { decoder.names.text(of: $0.transaction) })
    }

    /// The line of the whole log at a place, counted from 1.
    func line(_ place: Int) -> Int { numbers[place] + 1 }

    /// The places on which the answer depends, and the answers without each one of them.
    func rests() throws -> (places: [Int], without: [Answer]) {
        var kept = everything
        var without: [Int: Answer] = [:]
        let places = try MinimalLines.find(in: everything) { places throws(any Error) in
            let other = try ask(places)
            if other.isSame(as: answer) {
                (kept, without) = (places, [:])
                return true
            }
            if places.count == kept.count - 1 {
                let gap = places.indices.first { places[$0] != kept[$0] } ?? places.count
                without[kept[gap]] = other
            }
            return false
        }
        let answers = try places.map { place in
            try without[place] ?? ask(places.filter { $0 != place })
        }
        return (places, answers)
    }

    func part(_ place: Int, _ role: Reason.Role, _ other: Answer) -> Reason.Part {
        Reason.Part(line: line(place), role, Reason.Effect(answer, becomes: other))
    }

    mutating func prevents() throws -> [Reason.Part] {
        var parts: [Reason.Part] = []
        for place in everything.reversed() {
            guard spend(numbers.count) else { break }
            let other = try ask(everything.filter { $0 != place })
            if !other.isNo { parts.append(part(place, .prevents, other)) }
        }
        return parts.reversed()
    }

    /// The lines that contradict the answer, but lose to lines that take precedence.
    ///
    /// A line counts if the answer changes when it is added to the lines that the answer depends
    /// on, or when it replaces one of those lines about the same transaction or subscription.
    mutating func overridden(
        besides rests: [Int], _ without: [Answer]
    ) throws -> [Reason.Part] {
        let isResting = Set(rests)
        let facts = try facts()
        var parts: [Reason.Part] = []
        for place in everything where !isResting.contains(place) {
            guard let fact = facts[place], ReasonSearch.weighed.contains(fact.type) else {
                continue
            }
            guard spend(rests.count + 1) else { break }
            let all = (rests + [place]).sorted()
            let beside = try ask(all)
            if !beside.isSame(as: answer) {
                parts.append(part(place, .overrides, beside))
                continue
            }
            for (rest, gap) in zip(rests, without) {
                guard let other = facts[rest], ReasonSearch.concernSameSubject(fact, other),
                    spend(rests.count)
                else { continue }
                let instead = try ask(all.filter { $0 != rest })
                guard !instead.isSame(as: answer), !instead.isSame(as: gap), !instead.isEmpty
                else { continue }
                parts.append(part(place, .overrides, instead))
                break
            }
        }
        return parts
    }

    /// Deducts a fold of some lines from the remaining effort; returns `false` if too little is
    /// left.
    private mutating func spend(_ lines: Int) -> Bool {
        guard effort >= lines else { return false }
        effort -= lines + 16
        return true
    }

    private func facts() throws -> [Fact<Interned>?] {
        var facts: [Fact<Interned>?] = []
        try slice.read(LineDecoder()) { lines in
            for line in lines { facts.append(line.event?.fact) }
        }
        return facts
    }

    /// The types of facts that others may take precedence over: statements, cancellations,
    /// deliveries, withdrawals, validations and links.
    private static let weighed = EventTypes(
        .queuePurchased, .queueRestored, .receiptListed, .renewalStarted, .renewalRenewed,
        .renewalFailed, .renewalGraceExpired, .renewalExpired, .renewalTurnedOff,
        .renewalTurnedOn, .renewalPlanChanged, .renewalExtended, .cancellationRefunded,
        .cancellationRevoked, .cancellationReversed, .deliveryDelivered, .deliveryWithdrawn,
        .deliveryValidated, .accountLinked)

    /// Whether two facts concern the same transaction or, without transactions, the same original.
    private static func concernSameSubject(
        _ left: Fact<Interned>, _ right: Fact<Interned>
    ) -> Bool {
        if let first = left.transaction, let second = right.transaction { return first == second }
        guard left.transaction == nil, right.transaction == nil, let original = left.original
        else { return false }
        return original == right.original
    }
}

extension Answer {
    var isEmpty: Bool { row == nil && finding == nil }
}
