import PurchaseEvents

/// The events that an import of App Store data would write, for a device that has the data itself.
///
/// Equal statements have equal `id`s, whether an import or a device records them.
package struct StoreStatements {
    /// The events, all numbered 1 and dated 1970; the recorder sets the number and the date.
    package let events: [Event<Written>]
    /// The remarks on data that has no place in the log.
    package let remarks: [ImportRemark]

    /// Reads a document: a JWS, the JSON of a signed payload, or a receipt.
    ///
    /// - Parameter options: By default, the import verifies no signature, because StoreKit on the
    ///   device has verified the data.
    package init(reading bytes: [UInt8], options: ImportOptions = StoreStatements.unverified) {
        let remarks = ImportRemarks(onFile: "StoreKit", bytes)
        let form = StoreStatements.form(of: bytes)
        let recognition = Recognition(remarks: remarks, context: ReadContext(options: options))
        let sources = recognition.sources(
            of: RawRecord(form: form, bytes: bytes, place: FilePlace()))
        self.init(sources, remarks)
    }

    /// Reads a subscription's status, as on a status page, from the JWS of its latest transaction
    /// and of its renewal info and the number of its state (appstore.md, 2.9).
    package init(
        statusOf transaction: [UInt8]?, renewalInfo: [UInt8]?, state: Int?,
        options: ImportOptions = StoreStatements.unverified
    ) {
        let remarks = ImportRemarks(onFile: "StoreKit")
        let context = ReadContext(options: options)
        func open(_ jws: [UInt8]?) -> OpenedRecord? {
            jws.flatMap { OpenedRecord(jws: $0, at: 0, path: "", remarks, context) }
        }
        let signed = open(transaction).flatMap { SignedTransaction($0, context) }
        let renewal = open(renewalInfo).flatMap { RenewalInfo($0, context) }
        let status = state.flatMap { SubscriptionStatus(rawValue: Int64($0)) }
        var sources = [signed?.source()].compactMap(\.self)
        if let renewal {
            sources.append(renewal.source(status: status, end: signed?.row.expiresAt))
        }
        self.init(sources, remarks)
    }

    private init(_ sources: [StatedSource], _ remarks: ImportRemarks) {
        let decoder = LineDecoder()
        var events: [Event<Written>] = []
        for source in sources {
            let packed = PackedSource(source, file: 0)
            for (type, problem) in packed.problems {
                remarks.add(.error, at: 0, "a `\(type.wireName)` can't be written: \(problem)")
            }
            packed.bytes.withUnsafeBytes { bytes in
                for (_, change, line) in UnpackedSource(bytes)
                where !line.isEmpty && change?.effect != .settlesOpen {
                    let event = decoder.event(on: (PackedSource.beginning + line)[...])
                    if let event { events.append(event) }
                }
            }
        }
        self.events = events
        self.remarks = remarks.kept.remarks
    }

    /// That a refund of the transaction was reversed: what the statement of a transaction without a
    /// cancellation says if an earlier statement cancelled the transaction.
    ///
    /// `nil` if the statement isn't dated or wasn't understood in full: it may say more. The `id`
    /// has the next number of the statement, which no import of it writes.
    package var reversal: Event<Written>? {
        guard remarks.allSatisfy({ $0.level == .note }),
            let event = events.first(where: { $0.type == .receiptListed }),
            case .receiptListed(let listed) = event.fact, listed.receipt == nil,
            listed.cancelledAt == nil, listed.upgraded != true, event.signedAt != nil,
            let id = event.id
        else { return nil }
        return StoreStatements.reversal(event, id, of: listed.transaction, number: 2)
    }

    /// The reversal that a statement of a transaction makes, with the next number in its `id`.
    static func reversal(
        _ listed: Event<Written>, _ id: String, of transaction: TransactionID<Written>, number: Int
    ) -> Event<Written> {
        var event = listed
        event.id = id.lastIndex(of: "#").map { "\(id[...$0])\(number)" }
        event.fact = .cancellationReversed(transaction: transaction)
        return event
    }

    package static var unverified: ImportOptions {
        var options = ImportOptions()
        options.verifies = false
        return options
    }

    private static func form(of bytes: [UInt8]) -> RawRecord.Form {
        if bytes.first == 0x30 { return .receipt }
        if RecordCutter.beginsJWS(bytes) { return .text }
        return Base64Lines.beginReceipt(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
            ? .base64Receipt : .json
    }

    package func drafts(recordedAt now: Timestamp) -> [Draft] {
        events.map { event in
            var event = event
            event.at = now
            return Draft(event)
        }
    }
}
