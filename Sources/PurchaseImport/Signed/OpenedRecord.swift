import PurchaseEvents

/// A payload of the App Store with what is known of its signature: it stood as a JWS, or somebody
/// decoded it before.
struct OpenedRecord {
    /// The payload.
    let payload: JSONValue
    /// The payload's keys.
    let record: RecordReader
    /// How the signature is; `unchecked` where there is none, or where nobody may have signed it.
    var signature: SignatureCheck
    /// Whether it stood as a JWS.
    let isSigned: Bool
    /// Which bytes it is of, where it has no identifier of its own.
    let content: [UInt8]
    /// Where it begins.
    let place: ImportPlace

    /// The environment that it names.
    let environment: Environment?
    /// When it was signed.
    let signedAt: Timestamp?
}

extension OpenedRecord {
    /// A payload that was decoded before.
    init?(decoded payload: JSONValue, _ remarks: ImportRemarks) {
        guard let record = RecordReader(payload, remarks: remarks, isExact: true) else {
            return nil
        }
        self.payload = payload
        self.record = record
        signature = .unchecked
        isSigned = false
        content = payload.canonicalBytes()
        place = remarks.place(of: payload.offset)
        environment = OpenedRecord.environment(in: payload, record)
        signedAt = OpenedRecord.signedAt(record)
        remarks.count(.unchecked)
    }

    /// The payload of a compact JWS, and whether its signature holds; `nil`, with a remark, where
    /// it can't be read.
    ///
    /// - Parameters:
    ///   - offset: where the JWS begins in the record that it stands in.
    ///   - path: the way to it there.
    init?(
        jws text: [UInt8], at offset: Int, path: String, _ remarks: ImportRemarks,
        _ context: ReadContext
    ) {
        let jws: JWS
        do throws(SignatureProblem) {
            jws = try JWS(text)
        } catch {
            remarks.add(
                .error, at: offset, path: path,
                "invalid JWS: \(error.message); skipped")
            return nil
        }
        let within = remarks.within(at: offset, path: path)
        let document: JSONValue
        do throws(JSONProblem) {
            document = try JSONReader.document(jws.payload)
        } catch {
            within.add(
                .error, at: 0,
                "the payload is invalid JSON: byte \(error.offset + 1): \(error.message); skipped")
            return nil
        }
        guard let record = RecordReader(document, remarks: within, isExact: true) else {
            return nil
        }
        payload = document
        self.record = record
        isSigned = true
        content = text
        place = remarks.place(of: offset, path: path)
        environment = OpenedRecord.environment(in: document, record)
        signedAt = OpenedRecord.signedAt(record)
        signature = .unchecked
        signature = check(jws, context)
        within.count(signature)
    }

    /// Whether the signature holds; Xcode's is its own, so nothing is known by it.
    private func check(_ jws: JWS, _ context: ReadContext) -> SignatureCheck {
        guard let verifier = context.verifier, environment != .xcode else { return .unchecked }
        let outcome = verifier.verify(jws, at: signedAt ?? Timestamp(milliseconds: 0))
        switch outcome {
        case .valid where signedAt != nil: return .valid
        case .invalid(let problem) where signedAt != nil || problem.step != .dates:
            distrust("\(problem.step.rawValue): \(problem.message)")
        case .valid, .invalid:
            distrust("the payload names no `signedDate`, at which its certificates must be valid")
        }
        return .invalid
    }

    private func distrust(_ why: String) {
        record.remark(
            .error, nil, "the signature is invalid: \(why); skipped what the record states")
    }

    /// The environment that a payload names, itself or in what a notification is about.
    private static func environment(
        in payload: JSONValue, _ record: RecordReader
    ) -> Environment? {
        let places = [payload] + ["data", "summary", "appData"].compactMap { payload[$0] }
        for place in places {
            for key in ["environment", "receiptType"] {
                guard let text = place[key]?.plainText, !text.isEmpty else { continue }
                if let known = AppStoreEnvironment.words[text.lowercased()] { return known }
                let seen = Array(text.utf8).withUnsafeBytes { EscapedText.excerpt($0) }
                record.remark(
                    .warning, record.value(key) == nil ? nil : key,
                    "expected the environment Production, Sandbox, Xcode or LocalTesting, seen "
                        + "`\(seen)`")
                return nil
            }
        }
        // An external purchase has no environment but in the first letters of its identifier.
        let token = payload["externalPurchaseToken"]?["externalPurchaseId"]?.plainText
        return token.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
    }

    private static func signedAt(_ record: RecordReader) -> Timestamp? {
        record.date(record.value("signedDate") == nil ? "receiptCreationDate" : "signedDate")
    }
}

extension OpenedRecord {
    /// Opens a record that stands as text under a key of another one.
    init?(_ key: String, of record: RecordReader, _ context: ReadContext) {
        guard let value = record.value(key), let text = value.plainText else {
            if record.value(key) != nil { _ = record.text(key) }
            return nil
        }
        self.init(
            jws: Array(text.utf8), at: value.offset, path: record.path(to: key), record.remarks,
            context)
    }

    /// Whether a record within another one is of the same app and environment; one that isn't is
    /// remarked on, and its signature counts as invalid.
    func belongs(to app: String?, _ other: Environment?) -> Bool {
        if let app, let own = record.name("bundleId"), own != app {
            distrust(
                "it is of the app `\(EscapedText.escape(own))`, within a record of "
                    + "`\(EscapedText.escape(app))`")
            return false
        }
        if let other, let environment, environment != other {
            distrust(
                "it is of the environment \(environment.rawValue), within a record of "
                    + "\(other.rawValue)")
            return false
        }
        return true
    }
}
