import PurchaseEvents

/// Every payment request is answered by a transaction or a failure (G3.3).
///
/// A request is kept on its device until answered, at most over one launch at which the queue was
/// observed; on a device that never records that, over one launch. A purchase of the product that
/// names no payment may also be the answer: after a launch, an app may no longer know which payment
/// object a queue entry came from. It answers one request, the oldest that it fits and that has no
/// answer of its own by the second launch. An answer that comes later is a note.
struct PaymentComesBack: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Each payment request comes back as one transaction or failure of its own before the "
        + "second launch after it on that device; a deferral lets one request take longer, and a "
        + "launch without queue.observed is not counted on a device that recorded it before. If "
        + "it comes later, that is a note."
    static let evidence = ["G3.3", "I2"]
    static let reads = EventTypes(
        .appLaunched, .paymentRequested, .queueObserved, .queueDeferred, .queueFailed,
        .queuePurchased)

    private struct Request {
        var payment: PaymentHandle
        var product: ProductHandle
        /// The request's number among those of its payment, from 1.
        var number: UInt32
        var line: LineNumber
    }

    /// A request without an answer by the second launch, and the lines of both launches.
    private struct LateRequest {
        var request: Request
        var firstLine: LineNumber, secondLine: LineNumber
    }

    private struct UnassignedPurchase {
        var product: ProductHandle
        var account: AccountHandle?
        var line: LineNumber
    }

    private struct Device: SnapshottedElement {
        /// The requests since the latest launch, and those between the two latest launches.
        var recent = InlineList<Request>(), earlier = InlineList<Request>()
        var unassigned: [UnassignedPurchase] = []
        var launchedLine: LineNumber = 0
        /// The line at which the queue was observed last; 0 if it never was.
        var observedLine: LineNumber = 0
        /// The number of recent requests at which answered ones are dropped.
        var limit = 64

        mutating func visitFields(_ visitor: FieldVisitor) {
            visitor.visit(&recent).visit(&earlier).visit(&unassigned).visit(&launchedLine)
            visitor.visit(&observedLine).visit(&limit)
        }
    }

    private var devices = DenseTable(Device())
    /// The number of answered requests of each payment.
    private var answers = DenseTable<UInt32>(0)
    /// The number of open requests that each payment's deferrals let take longer.
    private var deferred = HandleMap<UInt32>(0)
    private var late: [LateRequest] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&devices).visit(&answers).visit(&deferred).visit(&late)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let device = Facts.index(of: event.device)
        if event.type == .paymentRequested, case .paymentRequested(let request) = event.fact {
            report.test()
            let payment = request.payment
            devices[device].recent.append(
                Request(
                    payment: payment, product: request.product, number: facts[payment].requests,
                    line: line.number))
            if devices[device].recent.count >= devices[device].limit { forgetAnswered(device) }
        } else if event.type == .queueDeferred, let payment = event.payment {
            let open = facts[payment].requests - answers[payment.index]
            let key = HandleKey(.payment(payment))
            deferred[key] = min(open, deferred[orEmpty: key] &+ 1)
        } else if event.type == .queueFailed, let payment = event.payment {
            answer(payment, on: device, facts)
        } else if event.type == .queuePurchased, let transaction = event.transaction {
            guard facts[transaction].purchasedLine == line.number else { return }
            if let payment = event.payment {
                answer(payment, on: device, facts)
            } else if !devices[device].recent.isEmpty || !devices[device].earlier.isEmpty {
                guard event.mayAnswerPayment, let product = event.product else { return }
                devices[device].unassigned.append(
                    UnassignedPurchase(product: product, account: event.account, line: line.number))
            }
        } else if event.type == .queueObserved {
            devices[device].observedLine = line.number
        } else if event.type == .appLaunched {
            launch(device, line.number, facts)
        }
    }

    mutating func finish(facts: Facts, report: inout Report) {
        for late in late { find(late, isNote: isAnswered(late.request), facts, &report) }
    }

    /// Counts an answer.
    ///
    /// An event before a request does not answer it, and if both a failure and a purchase answer
    /// one request, the second does not answer the next request.
    private mutating func answer(_ payment: PaymentHandle, on device: Int, _ facts: Facts) {
        guard answers[payment.index] < facts[payment].requests else { return }
        answers[payment.index] &+= 1
        let key = HandleKey(.payment(payment))
        if let open = deferred[key] { deferred[key] = open > 1 ? open - 1 : nil }
        // Usually the event answers the only request.
        if devices[device].recent.count == 1, isAnswered(devices[device].recent[0]) {
            devices[device].recent.removeAll()
        }
    }

    private func isAnswered(_ request: Request) -> Bool {
        let answered = answers[request.payment.index]
        if answered >= request.number { return true }
        return answered &+ deferred[orEmpty: HandleKey(.payment(request.payment))] >= request.number
    }

    private mutating func forgetAnswered(_ device: Int) {
        let open = unanswered(devices[device].recent)
        devices[device].recent = open
        devices[device].limit = max(64, open.count * 2)
    }

    /// The requests without an answer; usually none.
    private func unanswered(_ requests: InlineList<Request>) -> InlineList<Request> {
        var open = InlineList<Request>()
        for request in requests where !isAnswered(request) { open.append(request) }
        return open
    }

    /// Handles a launch: the second after the earlier requests, and the first after the recent
    /// ones.
    private mutating func launch(_ device: Int, _ line: LineNumber, _ facts: Facts) {
        let launched = devices[device].launchedLine
        // The process of the launch before ended before the queue could tell anything.
        let observed = devices[device].observedLine
        let wasCut = observed != 0 && observed < launched
        devices[device].launchedLine = line
        if devices[device].earlier.isEmpty, devices[device].recent.isEmpty {
            devices[device].unassigned.removeAll(keepingCapacity: true)
            return
        }
        let kept = unanswered(devices[device].recent)
        if wasCut {
            for request in kept { devices[device].earlier.append(request) }
            devices[device].recent.removeAll()
            devices[device].limit = 64
            return
        }
        let late = unanswered(devices[device].earlier)
        if !late.isEmpty {
            var matcher = PurchaseMatcher(devices[device].unassigned)
            for request in late where !matcher.answers(request, facts) {
                self.late.append(
                    LateRequest(request: request, firstLine: launched, secondLine: line))
            }
            devices[device].unassigned = matcher.left
        }
        let since = kept.first?.line ?? .max
        devices[device].earlier = kept
        devices[device].recent.removeAll()
        devices[device].limit = 64
        devices[device].unassigned.removeAll { $0.line < since }
    }

    private func find(
        _ late: LateRequest, isNote: Bool, _ facts: Facts, _ report: inout Report
    ) {
        let request = late.request
        if let reason = facts.incompleteReason(after: request.line) {
            return report.cannotTell("whether a payment came back: \(reason)")
        }
        let payment = facts[request.payment]
        let name = facts.names.text(of: request.payment)
        report.find(
            at: request.line, facts, level: isNote ? .note : nil, account: payment.account,
            key: name,
            "\(facts.describe(request.payment)) had not come back by the second launch: expected a "
                + "transaction or a failure of it before that",
            notes: Finding.note(late.firstLine, "then the app was launched")
                + Finding.note(
                    late.secondLine,
                    "then once more, without a transaction or a failure of the payment"),
            hint: isNote
                ? "it came back later, so nothing is lost"
                : "look for the charge at the App Store: the user may have paid and got nothing")
    }

    /// Purchases without a payment, to be matched to requests.
    private struct PurchaseMatcher {
        private let purchases: [UnassignedPurchase]
        private var isUsed: [Bool]
        /// The places of purchases by buyer and by product, latest first.
        private var byBuyer: [Holder: [Int]] = [:], byProduct: [ProductHandle: [Int]] = [:]

        init(_ purchases: [UnassignedPurchase]) {
            self.purchases = purchases
            isUsed = Array(repeating: false, count: purchases.count)
            for (place, purchase) in purchases.enumerated().reversed() {
                let buyer = Holder(account: purchase.account, product: purchase.product)
                byBuyer[buyer, default: []].append(place)
                byProduct[purchase.product, default: []].append(place)
            }
        }

        /// The purchases that answer no request.
        var left: [UnassignedPurchase] {
            purchases.indices.filter { !isUsed[$0] }.map { purchases[$0] }
        }

        /// Whether a purchase after a request can be its answer; uses up the first such purchase.
        ///
        /// Requests must arrive in line order. A missing account matches any.
        mutating func answers(_ request: Request, _ facts: Facts) -> Bool {
            let product = request.product
            guard let account = facts[request.payment].account else {
                return Self.take(&byProduct[product], &isUsed, purchases, after: request.line)
            }
            let named = Holder(account: account, product: product)
            let unnamed = Holder(account: nil, product: product)
            return Self.take(&byBuyer[named], &isUsed, purchases, after: request.line)
                || Self.take(&byBuyer[unnamed], &isUsed, purchases, after: request.line)
        }

        /// Takes the first of some purchases after a line; `false` if there is none.
        private static func take(
            _ places: inout [Int]?, _ isUsed: inout [Bool], _ purchases: [UnassignedPurchase],
            after line: LineNumber
        ) -> Bool {
            while let place = places?.popLast() {
                guard purchases[place].line > line, !isUsed[place] else { continue }
                isUsed[place] = true
                return true
            }
            return false
        }
    }
}
