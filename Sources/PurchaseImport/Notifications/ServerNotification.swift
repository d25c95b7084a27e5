import PurchaseEvents

/// A decoded App Store Server Notification, version 2 (importing.md, 3).
struct ServerNotification {
    enum Kind: String, CaseIterable {
        case subscribed = "SUBSCRIBED"
        case renewed = "DID_RENEW"
        case planChanged = "DID_CHANGE_RENEWAL_PREF"
        case renewalStatusChanged = "DID_CHANGE_RENEWAL_STATUS"
        case offerRedeemed = "OFFER_REDEEMED"
        case expired = "EXPIRED"
        case failedToRenew = "DID_FAIL_TO_RENEW"
        case graceExpired = "GRACE_PERIOD_EXPIRED"
        case priceIncrease = "PRICE_INCREASE"
        case refund = "REFUND"
        case refundReversed = "REFUND_REVERSED"
        case refundDeclined = "REFUND_DECLINED"
        case consumptionRequest = "CONSUMPTION_REQUEST"
        case revoked = "REVOKE"
        case oneTimeCharge = "ONE_TIME_CHARGE"
        case renewalExtended = "RENEWAL_EXTENDED"
        case renewalExtension = "RENEWAL_EXTENSION"
        case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
        case metadataUpdate = "METADATA_UPDATE"
        case migration = "MIGRATION"
        case priceChange = "PRICE_CHANGE"
        case consentRescinded = "RESCIND_CONSENT"
        case test = "TEST"
    }

    /// The type and subtype as written, and the known type; `kind` is `nil` for an unknown type.
    let name: String, subtype: String?, kind: Kind?
    let app: String?
    let status: SubscriptionStatus?
    /// The signed records inside the notification; `nil` if absent, or if skipped with a remark.
    let transaction: SignedTransaction?
    let renewal: RenewalInfo?
    /// The payload and the outcome of its signature.
    let opened: OpenedRecord
    /// The hash of what the notification says; the same whether its signed records are signed or
    /// decoded.
    let hash: String
}

extension ServerNotification {
    /// Returns `nil`, with a remark, for another app's notification.
    init?(_ opened: OpenedRecord, _ context: ReadContext) {
        let record = opened.record
        self.opened = opened
        name = record.text("notificationType") ?? "unknown"
        subtype = record.text("subtype")
        // The changelog of the App Store and its libraries spell this type differently.
        kind = Kind(rawValue: name == "MIGRATE" ? Kind.migration.rawValue : name)
        guard opened.signature != .invalid else {
            (app, status, transaction, renewal) = (nil, nil, nil, nil)
            hash = SHA256.shortHex(opened.content)
            return
        }
        let (data, appData) = (record.record("data"), record.record("appData"))
        let body =
            data ?? appData ?? record.record("summary")
            ?? record.record("externalPurchaseToken")
        if let body, !context.accepts(body) { return nil }
        app = body?.name("bundleId")
        status = data?.number("status", SubscriptionStatus.numbers, "1 to 5")
        let (app, environment) = (app, opened.environment)
        var parts: [String: JSONValue] = [:]
        func within(_ body: RecordReader?, _ key: String) -> OpenedRecord? {
            guard let inner = body.flatMap({ OpenedRecord(key, of: $0, context) }),
                inner.signature != .invalid, inner.belongs(to: app, environment)
            else { return nil }
            parts[key] = inner.payload
            return inner
        }
        transaction = within(data, "signedTransactionInfo")
            .flatMap { SignedTransaction($0, context) }
        renewal = within(data, "signedRenewalInfo").flatMap { RenewalInfo($0, context) }
        // Only notifications about the app itself have this part.
        if let inner = within(body, "signedAppTransactionInfo") {
            AppTransaction.take(inner, context)
        }
        hash = SHA256.shortHex(opened.payload.opening(parts).canonicalBytes())
        record.remarkUnknownKeys(of: "notification", known: ServerNotification.known)
        let kind = "notifications of version 2"
        record.countUnplaced(of: kind, ["summary", "externalPurchaseToken"])
        data?.countUnplaced(of: kind, ["bundleVersion", "consumptionRequestReason"])
        appData?.countUnplaced(of: kind, ["bundleVersion"])
        for part in [data, appData].compactMap(\.self) {
            part.remarkUnknownKeys(of: "notification data", known: ServerNotification.knownData)
        }
    }

    private static let known: Set<String> = [
        "notificationType", "subtype", "notificationUUID", "version", "signedDate", "data",
        "summary", "externalPurchaseToken", "appData",
    ]

    private static let knownData: Set<String> = [
        "environment", "appAppleId", "bundleId", "bundleVersion", "signedTransactionInfo",
        "signedRenewalInfo", "status", "consumptionRequestReason", "signedAppTransactionInfo",
    ]
}

extension ServerNotification {
    var source: StatedSource {
        let record = opened.record
        let isForged = opened.signature == .invalid
        let identifier = record.name("notificationUUID")
        if identifier == nil, !isForged {
            record.remark(
                .warning, nil,
                "expected `notificationUUID`, seen none; used the hash of the notification"
            )
        }
        let received = NotificationReceived<Written>(
            notification: NotificationID(identifier ?? hash), name: name, subtype: subtype,
            version: 2, signature: opened.signature)
        var source = StatedSource(
            // A forged notification must not hide the genuine one with the same identifier.
            identity: isForged ? "invalid \(hash)" : identifier ?? hash, content: hash,
            place: opened.place, app: app)
        source.received = StatedFact(
            fact: .notificationReceived(received), account: account,
            signedAt: isForged ? nil : opened.signedAt)
        if !isForged {
            (source.environment, source.date) = (opened.environment, opened.signedAt)
            source.facts = ServerNotificationFacts.stated(by: self)
        }
        return source
    }

    /// The account that the signed records name.
    var account: String? { transaction?.row.account ?? renewal?.statement.account }
}

extension JSONValue {
    /// The payload of a notification with the payloads of its signed records in their place.
    ///
    /// A record that isn't among the opened ones, such as one with an invalid signature, stays as
    /// it is: it must not count as the same as a valid one.
    fileprivate func opening(_ parts: [String: JSONValue], depth: Int = 1) -> JSONValue {
        guard !parts.isEmpty, let members else { return self }
        var opened = self
        opened.content = .object(
            members.map { member in
                var member = member
                if member.value.isText, let payload = parts[member.key] {
                    member.value = payload
                } else if depth > 0 {
                    member.value = member.value.opening(parts, depth: depth - 1)
                }
                return member
            })
        return opened
    }
}
