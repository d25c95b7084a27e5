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
            guard document["signedPayload"] != nil else {
                return OpenedRecord(decoded: document, remarks)
                    .map { SignedPayload.notificationV2.sources(of: $0, context) } ?? []
            }
            guard let record = RecordReader(document, remarks: remarks),
                let opened = OpenedRecord("signedPayload", of: record, context)
            else { return [] }
            // The answer to a request for a test notification's status.
            SendAttempts.check(record)
            return SignedPayload.sources(of: opened, or: .notificationV2, remarks, context)
        })

    /// The format of decoded payloads of one kind, such as transactions or renewal infos.
    static func decoded(_ payload: SignedPayload) -> AppStoreFormat {
        AppStoreFormat(
            kind: payload.kind, recognises: payload.recognises,
            readStatements: { document, remarks, context in
                OpenedRecord(decoded: document, remarks)
                    .map { payload.sources(of: $0, context) } ?? []
            })
    }
}

/// The kinds of signed payloads, recognised by their keys.
enum SignedPayload: CaseIterable {
    case notificationV2, transaction, renewalInfo, appTransaction

    var kind: ImportKind {
        switch self {
        case .notificationV2: .notificationV2
        case .transaction: .transaction
        case .renewalInfo: .renewalInfo
        case .appTransaction: .appTransaction
        }
    }

    /// Whether a payload is of this kind.
    func recognises(_ payload: JSONValue) -> Bool {
        switch self {
        case .notificationV2:
            payload["notificationUUID"] != nil || payload["notificationType"] != nil
        case .transaction:
            payload["transactionId"] != nil
                && (payload["productId"] != nil || payload["purchaseDate"] != nil)
        case .renewalInfo:
            payload["autoRenewProductId"] != nil || payload["autoRenewStatus"] != nil
        case .appTransaction:
            payload["originalApplicationVersion"] != nil
        }
    }

    /// The statements of a payload of this kind.
    func sources(of opened: OpenedRecord, _ context: ReadContext) -> [StatedSource] {
        switch self {
        case .notificationV2:
            [ServerNotification(opened, context)?.source].compactMap(\.self)
        case .transaction:
            [SignedTransaction(opened, context)?.source].compactMap(\.self)
        case .renewalInfo:
            [RenewalInfo(opened, context)?.source()].compactMap(\.self)
        case .appTransaction:
            {
                AppTransaction.take(opened, context); return []
            }()
        }
    }

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
        let kind = allCases.first { payload in
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
        if kind != usual {
            if let usual { remarks.count(usual.kind, -1) }
            remarks.count(kind.kind)
        }
        return kind.sources(of: opened, context)
    }
}
