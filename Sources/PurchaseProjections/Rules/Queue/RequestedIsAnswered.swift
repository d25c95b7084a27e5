import PurchaseEvents

/// The catalogue answers what it is asked, with listed or invalid (G2.2).
struct RequestedIsAnswered: Rule {
    static let id = "requested-is-answered"
    static let level = Level.warning
    static let statement =
        "Each product that the catalogue is asked for is listed or invalid before the next launch "
        + "of that device."
    static let evidence = ["G2.2"]
    static let reads = EventTypes(
        .appLaunched, .catalogRequested, .catalogListed, .catalogInvalid)

    private struct Request {
        var product: ProductID<Interned>
        var line: LineNumber
    }

    private struct Device {
        /// What was asked since the latest launch, and the latest answer for each product.
        var open: [Request] = []
        var answers: [ProductID<Interned>: LineNumber] = [:]
        /// How many requests make it worth forgetting those that were answered.
        var limit = 64

        mutating func forgetAnswered() {
            open.removeAll { answers[$0.product, default: 0] > $0.line }
            answers = [:]
            limit = max(64, open.count * 2)
        }
    }

    private var devices = DenseTable(Device())

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        let device = Facts.index(of: event.device)
        if case .catalogRequested(let product) = event.fact {
            report.test()
            devices[device].open.append(Request(product: product, line: line.number))
            if devices[device].open.count >= devices[device].limit {
                devices[device].forgetAnswered()
            }
        } else if let product = event.fact.product {
            guard !devices[device].open.isEmpty else { return }
            devices[device].answers[product] = line.number
        } else if !devices[device].open.isEmpty {
            devices[device].forgetAnswered()
            for request in devices[device].open { find(request, line.number, facts, &report) }
            devices[device].open = []
        }
    }

    private func find(
        _ request: Request, _ launch: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        if let missed = facts.mayHaveMissed(after: request.line) {
            return report.cannotTell("whether the catalogue answered: \(missed)")
        }
        let product = facts.names.text(of: request.product)
        report.find(
            at: request.line, facts, account: nil, key: product,
            "the catalogue was asked for \(product) and never answered: expected catalog.listed "
                + "or catalog.invalid of it before the next launch",
            notes: [
                Finding.Note(line: launch, message: "then the app was launched, without an answer")
            ],
            hint: "look at how the app handles a products request that fails: the product can't "
                + "be bought meanwhile")
    }
}
