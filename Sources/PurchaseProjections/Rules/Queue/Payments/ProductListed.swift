import PurchaseEvents

/// Only products that the App Store lists are requested (G2.2).
///
/// A log without a catalogue proves nothing, so requests before the catalogue's first answer are
/// kept until then.
struct ProductListed: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "In a log with a catalogue, a product that is requested was listed before and is not "
        + "invalid."
    static let evidence = ["G2.2"]
    static let reads = EventTypes(.catalogListed, .catalogInvalid, .paymentRequested)

    private struct Request {
        var payment: PaymentHandle
        var product: ProductHandle
        var line: LineNumber
        /// Whether the log up to the request may lack a listing.
        var mayBeIncomplete: Bool
    }

    private var hasCatalogue = false
    /// Requests before the catalogue's first answer.
    private var early: [Request] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&hasCatalogue).visit(&early)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let payment = event.payment, let named = event.product else {
            guard !hasCatalogue else { return }
            hasCatalogue = true
            for request in early { find(request, invalid: 0, facts, &report) }
            early = []
            return
        }
        let request = Request(
            payment: payment, product: named, line: line.number,
            mayBeIncomplete: facts.incompleteReason != nil)
        guard hasCatalogue else { return early.append(request) }
        let product = facts[named]
        if product.invalidLine > product.listedLine {
            find(request, invalid: product.invalidLine, facts, &report)
        } else if product.listedLine == 0 {
            find(request, invalid: 0, facts, &report)
        } else {
            report.test()
        }
    }

    private func find(
        _ request: Request, invalid: LineNumber, _ facts: Facts, _ report: inout Report
    ) {
        report.test()
        let reason = invalid == 0 ? facts.incompleteReason : facts.incompleteReason(after: invalid)
        // Events after the request do not matter.
        if request.mayBeIncomplete, let reason {
            return report.cannotTell("whether a product was listed before its request: \(reason)")
        }
        let product = facts.names.text(of: request.product)
        report.find(
            at: request.line, facts, account: facts[request.payment].account,
            key: facts.names.text(of: request.payment),
            "\(facts.describe(request.payment)) was requested, but "
                + (invalid == 0
                    ? "the catalogue had not listed \(product)" : "\(product) is invalid")
                + ": expected catalog.listed of it before the request",
            notes: Finding.note(invalid, "let \(product) be invalid"),
            hint: "look at where the app's list of products comes from: a payment for a product "
                + "that the store doesn't know fails")
    }
}
