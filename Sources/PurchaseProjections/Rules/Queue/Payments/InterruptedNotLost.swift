import PurchaseEvents

/// An interrupted payment has a later outcome (I2).
///
/// An interrupted payment fails at once and may be purchased later without a new request, often
/// without naming the payment. So an unrequested purchase is matched to the oldest interrupted
/// failure of its product and account. A later failure of the payment with another error also
/// settles it.
struct InterruptedNotLost: CatalogueRule {
    static let level = Level.note
    static let statement =
        "A payment that failed as interrupted has a later outcome: a purchase of the product "
        + "without a request is matched to it."
    static let evidence = ["I2"]
    static let reads = EventTypes(.paymentRequested, .queueFailed, .queuePurchased)

    private struct Failure {
        var payment: PaymentHandle
        var line: LineNumber
        var isSettled = false
        /// The line of the first later purchase by a new request; 0 if there is none.
        var requestedLine: LineNumber = 0
    }

    /// Failures in log order, settled ones included.
    private struct Waiting: SnapshottedElement {
        var failures: [Int] = []
        var first = 0

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&failures).visit(&first)
        }
    }

    private var failures: [Failure] = []
    private var byPayment: [PaymentHandle: Waiting] = [:]
    /// A missing account is looked up separately, because it may be any account.
    private var byBuyer: [Holder: Waiting] = [:]
    private var byProduct: [ProductHandle: Waiting] = [:]
    /// Whether each account ever had a failure, by ``Facts/index(of:)``.
    private var hasFailed = DenseTable(false)
    /// Failures of payments that were not requested yet, so that their product is unknown.
    private var unrequested: [PaymentHandle: [Int]] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&failures).visit(&byPayment).visit(&byBuyer).visit(&byProduct)
        visitor.visit(&hasFailed).visit(&unrequested)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .paymentRequested {
            if !unrequested.isEmpty, let payment = event.payment {
                for index in unrequested.removeValue(forKey: payment) ?? [] { list(index, facts) }
            }
        } else if event.type == .queueFailed, case .queueFailed(let failed) = event.fact {
            if failed.error.known == .interrupted {
                interrupt(failed.payment, line.number, facts, &report)
            } else if !failures.isEmpty {
                while Self.settle(&byPayment[failed.payment], &failures) {}
            }
        } else if event.type == .queuePurchased, !failures.isEmpty,
            case .queuePurchased(let purchased) = event.fact,
            facts[purchased.transaction].purchasedLine == line.number
        {
            let isSettled = purchased.payment.map { settle($0, facts) } ?? false
            let isRequested = purchased.payment.map { facts[$0].requests > 0 } ?? false
            if isSettled { return }
            if isRequested {
                noteRequested(purchased.product, event.account, line.number)
            } else if event.mayAnswerPayment {
                settle(purchased.product, event.account)
            }
        }
    }

    /// Settles a failure of a payment; most payments never failed.
    private mutating func settle(_ payment: PaymentHandle, _ facts: Facts) -> Bool {
        facts[payment].failedLine != 0 && Self.settle(&byPayment[payment], &failures)
    }

    private mutating func interrupt(
        _ payment: PaymentHandle, _ line: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        // A repeated presentation of a failure is not a new failure.
        let known = byPayment[payment]?.failures.count ?? 0
        guard known < max(1, Int(facts[payment].requests)) else { return }
        report.test()
        let index = failures.count
        failures.append(Failure(payment: payment, line: line))
        byPayment[payment, default: Waiting()].failures.append(index)
        if facts[payment].product == nil {
            unrequested[payment, default: []].append(index)
        } else {
            list(index, facts)
        }
    }

    private mutating func list(_ index: Int, _ facts: Facts) {
        let payment = failures[index].payment
        guard let product = facts[payment].product else { return }
        let buyer = Holder(account: facts[payment].account, product: product)
        byBuyer[buyer, default: Waiting()].failures.append(index)
        hasFailed[Facts.index(of: buyer.account)] = true
        byProduct[product, default: Waiting()].failures.append(index)
    }

    /// Settles the failure that an unrequested purchase may resolve.
    private mutating func settle(_ product: ProductHandle, _ account: AccountHandle?) {
        guard let account else {
            _ = Self.settle(&byProduct[product], &failures)
            return
        }
        for account in [account, nil] where hasFailed[Facts.index(of: account)] {
            let buyer = Holder(account: account, product: product)
            if Self.settle(&byBuyer[buyer], &failures) { return }
        }
    }

    /// Records that a buyer with an open failure bought the product by another request.
    private mutating func noteRequested(
        _ product: ProductHandle, _ account: AccountHandle?, _ line: LineNumber
    ) {
        guard hasFailed[Facts.index(of: account)] else { return }
        let buyer = Holder(account: account, product: product)
        guard let index = Self.oldest(&byBuyer[buyer], failures),
            failures[index].requestedLine == 0
        else { return }
        failures[index].requestedLine = line
    }

    /// Settles the oldest open failure; `false` if there is none.
    private static func settle(_ waiting: inout Waiting?, _ failures: inout [Failure]) -> Bool {
        guard let index = oldest(&waiting, failures) else { return false }
        failures[index].isSettled = true
        return true
    }

    /// The oldest open failure; permanently skips the settled ones before it.
    private static func oldest(_ waiting: inout Waiting?, _ failures: [Failure]) -> Int? {
        while let known = waiting, known.first < known.failures.count {
            let index = known.failures[known.first]
            if !failures[index].isSettled { return index }
            waiting?.first += 1
        }
        return nil
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for failure in failures where !failure.isSettled {
            if let reason = facts.incompleteReason(after: failure.line) {
                report.cannotTell("whether an interrupted payment was purchased: \(reason)")
                continue
            }
            let payment = facts[failure.payment]
            guard let product = payment.product else {
                report.cannotTell(
                    "whether an interrupted payment was purchased: the log doesn't say what it "
                        + "was for")
                continue
            }
            let name = facts.names.text(of: failure.payment)
            report.find(
                at: failure.line, facts, account: payment.account, key: name,
                "payment \(name) was interrupted and has no later outcome: expected a purchase of "
                    + "\(facts.names.text(of: product)) without a request, or another failure",
                notes: facts.requested(failure.payment, besides: 0)
                    + Finding.note(
                        failure.requestedLine,
                        "then \(facts.names.text(of: product)) was purchased by another request"),
                hint: "look for a later charge at the App Store: the user may have confirmed it, "
                    + "paid, and been told that it failed")
        }
    }
}
