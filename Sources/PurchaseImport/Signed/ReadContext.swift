import PurchaseEvents
import PurchaseSignatures

struct ReadContext: Sendable {
    let options: ImportOptions
    /// The verifier of signed payloads; `nil` with `--no-verify`.
    let verifier: JWSVerifier?

    init(options: ImportOptions) {
        self.options = options
        verifier = options.verifies ? JWSVerifier(roots: options.roots) : nil
    }

    /// Whether a record that names these is of the expected app; otherwise adds a remark.
    func accepts(app: String?, appID: Int64?, _ remark: (String) -> Void) -> Bool {
        if let expected = options.bundleID, let app, app != expected {
            remark(
                "expected the app `\(EscapedText.escape(expected))`, seen "
                    + "`\(EscapedText.escape(app))`; skipped")
            return false
        }
        if let expected = options.appID, let appID, appID != expected {
            remark("expected the app with the Apple ID \(expected), seen \(appID); skipped")
            return false
        }
        return true
    }

    /// Whether a record is of the expected app, by its `bundleId` and `appAppleId`.
    func accepts(_ record: RecordReader) -> Bool {
        let appID = record.integer("appAppleId", in: Int64.min...Int64.max)
        return accepts(record, app: record.name("bundleId"), appID: appID)
    }

    func accepts(_ record: RecordReader, app: String?, appID: Int64? = nil) -> Bool {
        accepts(app: app, appID: appID) { record.remark(.error, nil, $0) }
    }
}
