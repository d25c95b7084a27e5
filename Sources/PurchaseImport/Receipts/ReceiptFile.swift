import PurchaseEvents
import PurchaseSignatures

/// Reads a PKCS #7 receipt: verifies its signature and states its purchases (importing.md, 3).
enum ReceiptFile {
    /// The statements of a receipt in base64, on one line or several.
    static func sources(
        ofBase64 text: [UInt8], at offset: Int, _ remarks: ImportRemarks, _ context: ReadContext
    ) -> [StatedSource] {
        do throws(EncodingProblem) {
            let digits = text.filter { !JSONReader.isSpace($0) }
            let bytes = try Base64.decode(digits[...])
            return sources(of: bytes, at: offset, remarks, context)
        } catch {
            remarks.count(.receipt)
            remarks.add(.error, at: offset, "the receipt is invalid base64: \(error); skipped")
            return []
        }
    }

    static func sources(
        of bytes: [UInt8], at offset: Int, _ remarks: ImportRemarks, _ context: ReadContext
    ) -> [StatedSource] {
        remarks.count(.receipt)
        let within = remarks.within(at: offset, path: "")
        let message: SignedMessage, attributes: ReceiptAttributes
        do throws(EncodingProblem) {
            message = try SignedMessage(bytes)
            attributes = try ReceiptAttributes(message.reader, within)
        } catch {
            remarks.add(.error, at: offset, "invalid receipt: \(error); skipped")
            return []
        }
        let isAccepted = context.accepts(app: attributes.app, appID: attributes.appID) {
            remarks.add(.error, at: offset, $0)
        }
        guard isAccepted else { return [] }
        let identity = SHA256.shortHex(bytes)
        let signature = check(message, attributes, within, context)
        remarks.count(signature)
        return [
            source(
                attributes, identity: identity, signature,
                isXcode: message.isXcode, at: remarks.place(of: offset))
        ]
    }

    private static func check(
        _ message: SignedMessage, _ attributes: ReceiptAttributes, _ remarks: ImportRemarks,
        _ context: ReadContext
    ) -> SignatureCheck {
        guard context.options.verifies, !message.isXcode else { return .unchecked }
        func distrust(_ why: String) -> SignatureCheck {
            remarks.add(
                .error, at: 0,
                "the receipt's signature is invalid: \(why); skipped what the receipt states")
            return .invalid
        }
        guard let created = attributes.createdAt else {
            return distrust("it has no creation date to check its certificates at")
        }
        switch message.verify(roots: context.options.roots, at: created) {
        case .valid: return .valid
        case .invalid(let problem): return distrust("\(problem.step.rawValue): \(problem.message)")
        }
    }

    private static func source(
        _ attributes: ReceiptAttributes, identity: String, _ signature: SignatureCheck,
        isXcode: Bool, at place: ImportPlace
    ) -> StatedSource {
        let receipt = ReceiptID<Written>(identity)
        let rows = attributes.rows
        let signedAt = attributes.createdAt
        var facts: [StatedFact] = []
        func state(_ fact: Fact<Written>) {
            facts.append(StatedFact(fact: fact, signedAt: signedAt))
        }
        let validated: (ValidationOutcome) -> Fact<Written> = {
            .receiptValidated(ReceiptValidated(receipt: receipt, outcome: $0))
        }
        guard signature != .invalid else {
            facts.append(StatedFact(fact: validated(.invalid)))
            return StatedSource(identity: "invalid \(identity)", place: place, facts: facts)
        }
        state(.receiptRefreshed(receipt: receipt))
        for row in rows.all { state(row.listed(in: receipt)) }
        if signature == .valid { state(validated(.valid)) }
        for row in rows.all { if let fact = row.cancellation(isRevoked: false) { state(fact) } }
        var dates = KnownDates(rows: rows, lapsed: [])
        dates.add(signedAt)
        return StatedSource(
            identity: identity, place: place, app: attributes.app,
            environment: isXcode ? .xcode : attributes.environment, date: dates.latest,
            facts: facts)
    }
}

extension AppStoreFormat {
    /// A request to verifyReceipt: a JSON object with a receipt.
    static let receiptRequest = AppStoreFormat(
        kind: .receipt, recognises: { $0["receipt-data"]?.isText == true },
        readStatements: { document, remarks, context in
            // The receipt is opened or counted like a receipt in any other document.
            guard let record = RecordReader(document, remarks: remarks) else { return [] }
            record.remarkUnknownKeys(
                of: "receipt request",
                known: ["receipt-data", "password", "exclude-old-transactions"])
            return []
        })
}
