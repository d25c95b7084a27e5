import PurchaseEvents

/// A subscription does not renew at a higher price before the subscriber consents (G6.6).
///
/// While the latest `renewal.priceIncreased` says `pending`, a renewal of the same product costs no
/// more than the last period whose price was agreed to. Offers and new starts are not compared; an
/// expiry of the subscription ends the wait, for what follows is a new start. A dearer period after
/// a lapse may be one too, and is one after the longest billing retry, unless the log says
/// `renewal.renewed`.
struct PriceConsented: CatalogueRule {
    static let level = Level.warning
    static let statement = """
        No renewal is at a higher price while consent to a price increase is pending.
        """
    static let evidence = ["G6.6"]
    static let reads = EventTypes(
        .renewalPriceIncreased, .queuePurchased, .receiptListed, .renewalStarted,
        .renewalRenewed, .renewalExpired)

    private struct Consent {
        /// `nil` once the line has expired.
        var consent: PriceConsent?
        var at: Timestamp
        var line: LineNumber
        /// Whether the statement was made in production; environments never mix (G9.3).
        var isOfProduction: Bool
    }

    private var consents: [TransactionHandle: [Consent]] = [:]
    /// Transactions bought with an offer.
    private var offered = TransactionSet()
    private var started = TransactionSet(), renewed = TransactionSet()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&consents).visit(&offered).visit(&started).visit(&renewed)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .renewalPriceIncreased,
            case .renewalPriceIncreased(let payload) = event.fact
        {
            report.test()
            add(payload.consent, to: payload.original, event, line, facts)
        } else if event.type == .renewalExpired, let original = event.fact.original {
            add(nil, to: original, event, line, facts)
        } else if event.type == .queuePurchased, case .queuePurchased(let payload) = event.fact {
            if payload.offer != nil { offered.insert(payload.transaction) }
        } else if event.type == .receiptListed, case .receiptListed(let payload) = event.fact {
            if payload.offer != nil { offered.insert(payload.transaction) }
        } else if event.type == .renewalStarted, case .renewalStarted(let payload) = event.fact {
            started.insert(payload.transaction)
            if payload.offer != nil { offered.insert(payload.transaction) }
        } else if event.type == .renewalRenewed, case .renewalRenewed(let payload) = event.fact {
            renewed.insert(payload.transaction)
            if payload.offer != nil { offered.insert(payload.transaction) }
        }
    }

    private mutating func add(
        _ consent: PriceConsent?, to original: TransactionHandle,
        _ event: LogEvent, _ line: Line, _ facts: Facts
    ) {
        consents[original, default: []].append(
            Consent(
                consent: consent, at: event.signedAt ?? event.at, line: line.number,
                isOfProduction: facts.environment(of: event) == .production))
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for original in consents.keys.sorted(by: { $0.index < $1.index }) {
            // Most subscriptions only expired.
            guard let all = consents[original], all.contains(where: { $0.consent == .pending }),
                let index = facts.subscriptionIndex(of: original)
            else { continue }
            let consents = Dictionary(
                grouping: all.sorted {
                    ($0.at, $0.line) < ($1.at, $1.line)
                }, by: \.isOfProduction)
            // The latest period with an agreed price, if its successor's price was not agreed to.
            var agreed: Period?
            facts.forEachPair(ofSubscription: index) { pair in
                let later = pair.later.transaction
                let isOfProduction = facts[later].isStated(in: .production)
                let own = consents[isOfProduction] ?? []
                let stated = own.lowerBound { $0.at > pair.later.start }
                guard stated > 0, let consent = own[..<stated].last,
                    consent.consent == .pending, pair.earlier.product == pair.later.product,
                    !started.contains(later), facts[later].payment == nil,
                    !isStart(pair, facts),
                    !offered.contains(later), !offered.contains(pair.earlier.transaction)
                else {
                    agreed = nil
                    return
                }
                if mayBeStart(pair) {
                    agreed = nil
                    if isDearer(pair, facts) != false {
                        report.cannotTell(
                            "no statement says whether transaction \(facts.text(later)), after a "
                                + "lapse, renewed or began anew")
                    }
                    return
                }
                let pair = Neighbours(earlier: agreed ?? pair.earlier, later: pair.later)
                let isDearer = judge(pair, consent, facts.subscriptions[index], facts, &report)
                agreed = isDearer ? pair.earlier : nil
            }
        }
    }

    /// Whether the later of two periods comes after a lapse, and nothing says that it renewed.
    private func mayBeStart(_ pair: Neighbours) -> Bool {
        pair.earlier.end < pair.later.start && !renewed.contains(pair.later.transaction)
    }

    /// Whether the later of two periods began after the store had given up to renew (G6.6).
    private func isStart(_ pair: Neighbours, _ facts: Facts) -> Bool {
        let isMonthly = facts[pair.earlier.transaction].terms.plan == .monthly
        return mayBeStart(pair)
            && pair.earlier.end.distance(to: pair.later.start)
                > RetryState.longest(isMonthly: isMonthly)
    }

    /// Whether the later of two periods costs more; `nil` if no statement says.
    private func isDearer(_ pair: Neighbours, _ facts: Facts) -> Bool? {
        guard let before = facts[pair.earlier.transaction].price,
            let price = facts[pair.later.transaction].price
        else { return nil }
        return before.currency == price.currency && price.thousandths > before.thousandths
    }

    /// Judges a renewal while consent is pending; returns whether it costs more than the agreed
    /// price.
    private func judge(
        _ pair: Neighbours, _ consent: Consent, _ subscription: SubscriptionFacts, _ facts: Facts,
        _ report: inout Report
    ) -> Bool {
        let later = pair.later.transaction
        guard let before = facts[pair.earlier.transaction].price, let price = facts[later].price,
            let isDearer = isDearer(pair, facts)
        else {
            report.cannotTell(
                "no statement says what transaction \(facts.text(later)) or the one before cost")
            return false
        }
        guard isDearer else { return false }
        if let reason = facts.incompleteReason {
            report.cannotTell("consent to a price increase may be missing: \(reason)")
            return true
        }
        let number = facts.attestedLine(of: later)
        report.find(
            at: number, facts, account: facts.owner(of: subscription), key: facts.text(later),
            "transaction \(facts.text(later)) renewed at \(price.thousandths), up from "
                + "\(before.thousandths) (thousandths of a unit), while consent was pending: "
                + "expected the old price or no renewal",
            notes: [facts.attested(pair.earlier.transaction)]
                + Finding.note(consent.line, "then consent to a price increase was pending"),
            hint: "the subscriber was charged more without having agreed: look for a consent that "
                + "was not recorded, otherwise the difference may be owed back")
        return true
    }
}
