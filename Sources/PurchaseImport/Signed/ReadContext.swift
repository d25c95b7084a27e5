import PurchaseEvents

/// What every record of an import is read with: the options, and who verifies signatures.
struct ReadContext: Sendable {
    let options: ImportOptions
    /// Verifies signed payloads; `nil` where nothing is verified.
    let verifier: JWSVerifier?

    init(options: ImportOptions) {
        self.options = options
        verifier = options.verifies ? JWSVerifier(roots: options.roots) : nil
    }

    /// Whether a record is of the app that is expected; that it isn't is remarked on.
    ///
    /// - Parameter app: the bundle identifier that the record names.
    func accepts(app: String?, appID: Int64?, _ remark: (String) -> Void) -> Bool {
        if let expected = options.bundleID, let app, app != expected {
            remark(
                "expected the app `\(EscapedText.escape(expected))`, seen "
                    + "`\(EscapedText.escape(app))`; skipped")
            return false
        }
        if let expected = options.appID, let appID, appID != expected {
            remark(
                "expected the app with the Apple ID \(expected), seen \(appID); skipped")
            return false
        }
        return true
    }

    /// Whether a record is of the app that is expected, by `bundleId` and `appAppleId`.
    func accepts(_ record: RecordReader) -> Bool {
        let appID = record.integer("appAppleId", in: Int64.min...Int64.max)
        return accepts(app: record.name("bundleId"), appID: appID) {
            record.remark(.error, nil, $0)
        }
    }
}
