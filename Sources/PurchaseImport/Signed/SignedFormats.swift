import PurchaseEvents

// Formats of single signed records: compact JWS, decoded payloads, and StoreKit 2's JSON.

extension AppStoreFormat {
    /// Version 2 notifications, as sent or decoded.
    static let serverNotification = AppStoreFormat(
        kind: .notificationV2,
        recognises: { document in
            document["signedPayload"] != nil || document["notificationType"] != nil
        },
        readStatements: { document, remarks, context in
            if document["signedPayload"]?.isAbsent ?? true, document["notificationType"] != nil {
                return OpenedRecord(decoded: document, remarks)
                    .map { SignedPayload.notificationV2.readStatements($0, context) } ?? []
            }
            guard let record = RecordReader(document, remarks: remarks),
                record.hasValue(ofOneOf: ["signedPayload"]),
                let opened = OpenedRecord("signedPayload", of: record, context)
            else { return [] }
            // The answer to a request for a test notification's status.
            SendAttempts.check(record)
            // A capture may keep more beside the body of a request.
            for key in record.keys
            where record.value(key) != nil && !["signedPayload", "sendAttempts"].contains(key) {
                remarks.count(unplaced: "other members", in: "envelopes")
            }
            return SignedPayload.sources(of: opened, or: .notificationV2, remarks, context)
        })

    /// The format of decoded payloads of one kind, such as transactions or renewal infos.
    static func decoded(_ payload: SignedPayload) -> AppStoreFormat {
        AppStoreFormat(
            kind: payload.kind, recognises: payload.recognises,
            readStatements: { document, remarks, context in
                OpenedRecord(decoded: document, remarks)
                    .map { payload.readStatements($0, context) } ?? []
            })
    }
}

/// A kind of signed payload, recognised by its keys.
struct SignedPayload: Sendable {
    let kind: ImportKind
    let recognises: @Sendable (JSONValue) -> Bool
    let readStatements: @Sendable (OpenedRecord, ReadContext) -> [StatedSource]

    static let notificationV2 = SignedPayload(
        kind: .notificationV2,
        recognises: { $0["notificationUUID"] != nil || $0["notificationType"] != nil },
        readStatements: { [ServerNotification($0, $1)?.source].compactMap(\.self) })

    static let transaction = SignedPayload(
        kind: .transaction,
        recognises: {
            $0["transactionId"] != nil && ($0["productId"] != nil || $0["purchaseDate"] != nil)
        },
        readStatements: { [SignedTransaction($0, $1)?.source()].compactMap(\.self) })

    static let renewalInfo = SignedPayload(
        kind: .renewalInfo,
        recognises: { $0["autoRenewProductId"] != nil || $0["autoRenewStatus"] != nil },
        readStatements: { [RenewalInfo($0, $1)?.source()].compactMap(\.self) })

    static let appTransaction = SignedPayload(
        kind: .appTransaction, recognises: { $0["originalApplicationVersion"] != nil },
        readStatements: { opened, context in
            AppTransaction.take(opened, context)
            return []
        })

    static let all = [notificationV2, transaction, renewalInfo, appTransaction]

    /// The statements of a compact JWS; the payload tells the kind.
    static func sources(
        ofJWS text: [UInt8], at offset: Int, _ remarks: ImportRemarks, _ context: ReadContext
    ) -> [StatedSource] {
        guard let opened = OpenedRecord(jws: text, at: offset, path: "", remarks, context) else {
            return []
        }
        return sources(of: opened, or: nil, remarks, context)
    }

    /// The statements of an opened payload; the payload tells the kind.
    ///
    /// - Parameter usual: The kind of a payload that tells nothing, or `nil` to refuse it. Its
    ///   caller has counted a document of that kind.
    fileprivate static func sources(
        of opened: OpenedRecord, or usual: SignedPayload?, _ remarks: ImportRemarks,
        _ context: ReadContext
    ) -> [StatedSource] {
        let asked = usual == nil ? context.options.kind : nil
        let kind = all.first { payload in
            asked.map { $0 == payload.kind } ?? payload.recognises(opened.payload)
        }
        if kind == nil, let other = OtherDocument(opened.payload) {
            opened.record.remark(other.level, nil, other.message)
            if let usual { remarks.count(usual.kind, -1) }
            return []
        }
        guard let kind = kind ?? usual else {
            opened.record.remark(.error, nil, Recognition.notRecognised(opened.payload))
            return []
        }
        if kind.kind != usual?.kind {
            if let usual { remarks.count(usual.kind, -1) }
            remarks.count(kind.kind)
        }
        return kind.readStatements(opened, context)
    }
}
