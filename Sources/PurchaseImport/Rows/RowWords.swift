import PurchaseEvents

/// Translates words of StoreKit and the App Store into words of the format.
enum RowWords {
    /// The format's word for a StoreKit word in any letter case or an `SKErrorDomain` code; `nil`
    /// if there is none.
    static func word(_ text: String, of key: Key) -> String? {
        let typed = text.lowercased()
        switch key {
        case .environment: return AppStoreEnvironment.words[typed]?.rawValue
        case .kind: return (AppStoreWords.kinds[typed] ?? shortKinds[typed])?.rawValue
        case .ownership: return AppStoreWords.ownerships[typed]?.rawValue
        case .plan: return AppStoreWords.plans[typed]?.rawValue
        case .offer: return AppStoreWords.offers[typed]?.rawValue
        case .error: return error(typed)
        case _: return nil
        }
    }

    private static let shortKinds: [String: ProductKind] = [
        "auto-renewable": .autoRenewable, "non-renewing": .nonRenewing,
    ]

    /// The errors of StoreKit 1 and 2 by code and by name.
    private static let errors = [
        "0": KnownError.unknown, "1": .invalidClient, "2": .cancelled, "3": .invalidPayment,
        "4": .notAllowed, "5": .productUnavailable, "7": .network, "clientinvalid": .invalidClient,
        "paymentcancelled": .cancelled, "paymentinvalid": .invalidPayment,
        "paymentnotallowed": .notAllowed, "storeproductnotavailable": .productUnavailable,
        "cloudservicenetworkconnectionfailed": .network, "usercancelled": .cancelled,
        "networkerror": .network, "purchasenotallowed": .notAllowed,
        "notavailableinstorefront": .productUnavailable, "productunavailable": .productUnavailable,
    ]

    /// The format's error for a code or a name, with or without a prefix such as `SKErrorDomain`.
    ///
    /// Error 2024 of `ASDServerErrorDomain` anywhere in the text means an interrupted purchase.
    private static func error(_ text: String) -> String? {
        let isStoreError = text.contains("asdservererrordomain")
        if isStoreError, text.contains("2024") { return KnownError.interrupted.rawValue }
        var name = text[...]
        for prefix in ["skerrordomain", "skerror", "storekiterror", "."]
        where name.hasPrefix(prefix) {
            name = name.dropFirst(prefix.count)
            name = name.drop { $0 == " " || $0 == ":" || $0 == "." || $0 == "_" || $0 == "-" }
        }
        return errors[String(name)]?.rawValue
    }
}
