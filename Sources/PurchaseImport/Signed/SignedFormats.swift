import PurchaseEvents

// What is signed by itself: decoded payloads, StoreKit 2's JSON, and compact JWS.

extension AppStoreFormat {
    /// Notifications of version 2: as they are sent, or decoded.
    static let serverNotification = AppStoreFormat(
        kind: .notificationV2,
        recognises: { document in
            document["signedPayload"] != nil || document["notificationType"] != nil
        },
        states: { document, remarks, context in
            guard document["signedPayload"] != nil else {
                return OpenedRecord(decoded: document, remarks)
                    .map { SignedPayload.notificationV2.sources(of: $0, context) } ?? []
            }
            guard let record = RecordReader(document, remarks: remarks),
                let opened = OpenedRecord("signedPayload", of: record, context)
            else { return [] }
            return SignedPayload.notificationV2.sources(of: opened, context)
        })

    /// The payload of a signed transaction, of a renewal info or of an app transaction.
    static func decoded(_ payload: SignedPayload) -> AppStoreFormat {
        AppStoreFormat(
            kind: payload.kind, recognises: payload.recognises,
            states: { document, remarks, context in
                OpenedRecord(decoded: document, remarks)
                    .map { payload.sources(of: $0, context) } ?? []
            })
    }
}

/// The kinds of payloads that the App Store signs, told apart by their keys.
enum SignedPayload: CaseIterable {
    case notificationV2, transaction, renewalInfo, appTransaction

    /// What a document of the payload is.
    var kind: ImportKind {
        switch self {
        case .notificationV2: .notificationV2
        case .transaction: .transaction
        case .renewalInfo: .renewalInfo
        case .appTransaction: .appTransaction
        }
    }

    /// Whether a payload is of the kind.
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

    /// What a payload of the kind states.
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

    /// What a compact JWS states, whose kind its payload tells.
    static func sources(
        ofJWS text: [UInt8], at offset: Int, _ remarks: ImportRemarks, _ context: ReadContext
    ) -> [StatedSource] {
        guard let opened = OpenedRecord(jws: text, at: offset, path: "", remarks, context) else {
            return []
        }
        let asked = context.options.kind
        let kind = allCases.first { payload in
            asked.map { $0 == payload.kind } ?? payload.recognises(opened.payload)
        }
        guard let kind else {
            remarks.add(.error, at: offset, Recognition.notRecognised(opened.payload))
            return []
        }
        remarks.count(kind.kind)
        return kind.sources(of: opened, context)
    }
}
