import PurchaseEvents
import PurchaseSignatures

/// A payload of App Store data, from a JWS or already decoded, with the outcome of its signature.
struct OpenedRecord {
    let payload: JSONValue
    let record: RecordReader
    /// The outcome of the signature; `unchecked` without a signature or a check.
    var signature: SignatureCheck
    let isSigned: Bool
    let place: ImportPlace

    let environment: Environment?
    let signedAt: Timestamp?

    /// The bytes whose hash identifies a record without an identifier: what the payload says,
    /// whether it is signed or decoded.
    var content: [UInt8] { payload.canonicalBytes() }
}

extension OpenedRecord {
    /// Creates a record from a decoded payload at a path of the outer record.
    init?(decoded payload: JSONValue, path: String = "", _ remarks: ImportRemarks) {
        guard let record = RecordReader(payload, path: path, remarks: remarks, isExact: true)
        else { return nil }
        self.payload = payload
        self.record = record
        signature = .unchecked
        isSigned = false
        place = remarks.place(of: payload.offset, path: path)
        environment = OpenedRecord.environment(in: payload, record)
        signedAt = OpenedRecord.signedAt(record)
        remarks.count(.unchecked)
    }

    /// Decodes and verifies a compact JWS at an offset and a path of the outer record; returns
    /// `nil`, with a remark, if it can't be decoded.
    init?(
        jws text: [UInt8], at offset: Int, path: String, _ remarks: ImportRemarks,
        _ context: ReadContext
    ) {
        let jws: JWS
        do throws(SignatureProblem) {
            jws = try JWS(text)
        } catch {
            remarks.add(.error, at: offset, path: path, "invalid JWS: \(error.message); skipped")
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
        place = remarks.place(of: offset, path: path)
        environment = OpenedRecord.environment(in: document, record)
        signedAt = OpenedRecord.signedAt(record)
        signature = .unchecked
        signature = check(jws, context)
        within.count(signature)
    }

    /// Verifies the signature; Xcode signs with its own key, which proves nothing.
    private func check(_ jws: JWS, _ context: ReadContext) -> SignatureCheck {
        guard let verifier = context.verifier, environment != .xcode else { return .unchecked }
        let outcome = verifier.verify(jws, at: signedAt ?? Timestamp(milliseconds: 0))
        switch outcome {
        case .valid where signedAt != nil: return .valid
        case .invalid(let problem) where signedAt != nil || problem.step != .dates:
            distrust("\(problem.step.rawValue): \(problem.message)")
        case .valid, .invalid:
            distrust("the payload has no `signedDate` to check its certificates at")
        }
        return .invalid
    }

    private func distrust(_ why: String) {
        record.remark(
            .error, nil, "the signature is invalid: \(why); skipped what the record states")
    }

    /// The environment of a payload, stated in the payload or in a notification's data.
    private static func environment(in payload: JSONValue, _ record: RecordReader) -> Environment? {
        let inner = ["data", "summary", "appData"].compactMap { key in
            payload[key].map { (path: "\(key).", place: $0) }
        }
        for (path, place) in [("", payload)] + inner {
            for key in ["environment", "receiptType"] {
                guard let value = place[key], !value.isAbsent else { continue }
                let text = value.plainText
                if let known = text.flatMap({ AppStoreEnvironment.words[$0.lowercased()] }) {
                    return known
                }
                let seen = text.map { "`\(EscapedText.excerpt(of: $0))`" } ?? value.kindWords
                record.remarks.add(
                    .warning, at: value.offset, path: record.path(to: path + key),
                    "expected the environment Production, Sandbox, Xcode or LocalTesting, seen "
                        + seen)
                return nil
            }
        }
        // Only the prefix of an external purchase's identifier tells the environment.
        let token = payload["externalPurchaseToken"]?["externalPurchaseId"]?.plainText
        return token.map { $0.hasPrefix("SANDBOX") ? .sandbox : .production }
    }

    private static func signedAt(_ record: RecordReader) -> Timestamp? {
        record.date(record.value("signedDate") == nil ? "receiptCreationDate" : "signedDate")
    }
}

extension OpenedRecord {
    /// Opens the JWS under a key of another record, or the payload that it decodes to.
    init?(_ key: String, of record: RecordReader, _ context: ReadContext) {
        guard let value = record.value(key) else { return nil }
        self.init(value, path: record.path(to: key), record.remarks, context)
    }

    /// Opens a JWS at a path of the outer record, or the payload that it decodes to; adds a remark
    /// for any other value.
    init?(_ value: JSONValue, path: String, _ remarks: ImportRemarks, _ context: ReadContext) {
        if case .string(let text) = value.content {
            self.init(jws: Array(text.utf8), at: value.offset, path: path, remarks, context)
        } else {
            guard value.members != nil else {
                remarks.add(
                    .error, at: value.offset, path: path,
                    "expected a JWS as text or its payload, seen \(value.kindWords); skipped")
                return nil
            }
            self.init(decoded: value, path: path, remarks)
        }
    }

    /// Whether the record has the app and the environment of its outer record; otherwise adds a
    /// remark that the signature is invalid.
    func belongs(to app: String?, _ other: Environment?) -> Bool {
        if let app, let own = record.name("bundleId"), own != app {
            distrust(
                "it belongs to the app `\(EscapedText.escape(own))`, but is inside a record of "
                    + "`\(EscapedText.escape(app))`")
            return false
        }
        if let other, let environment, environment != other {
            distrust(
                "it belongs to the environment \(environment.rawValue), but is inside a record "
                    + "of \(other.rawValue)")
            return false
        }
        return true
    }
}
