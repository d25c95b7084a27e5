import PurchaseEvents

/// The catalogue answers every product request, with listed or invalid (G2.2).
struct RequestedIsAnswered: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Each product that the catalogue is asked for is listed or invalid before the next launch "
        + "of that device."
    static let evidence = ["G2.2"]
    static let reads = EventTypes(.appLaunched, .catalogRequested, .catalogListed, .catalogInvalid)

    private var devices = DenseTable(OpenKeys())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&devices) }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        let device = Facts.index(of: event.device)
        if event.type == .appLaunched {
            guard !devices[device].isEmpty else { return }
            for request in devices[device].marks { find(request, line.number, facts, &report) }
            devices[device] = OpenKeys()
        } else if let product = event.product {
            if event.type == .catalogRequested { report.test() }
            devices[device].note(
                HandleKey(product), line.number, by: event.account,
                opens: event.type == .catalogRequested)
        }
    }

    private func find(
        _ request: OpenKeys.Mark, _ launch: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        if let reason = facts.incompleteReason(after: request.line) {
            return report.cannotTell("whether the catalogue answered: \(reason)")
        }
        let product = facts.names.text(of: request.key.product)
        report.find(
            at: request.line, facts, account: request.account, key: product,
            "the catalogue was asked for \(product) and had not answered by the next launch: "
                + "expected catalog.listed or catalog.invalid of it before that",
            notes: Finding.note(launch, "then the app was launched, without an answer"),
            hint: "look at how the app handles a products request that fails: the product can't "
                + "be bought meanwhile")
    }
}
