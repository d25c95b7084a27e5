import PurchaseEvents

/// The body that Send Consumption Information, version 2, of the App Store Server API takes.
struct ConsumptionBody: Hashable {
    /// Whether the customer got what was bought, in Apple's words.
    enum DeliveryStatus: String {
        case delivered = "DELIVERED"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case other = "UNDELIVERED_OTHER"
    }

    /// The outcome that the developer prefers, in Apple's words.
    enum RefundPreference: String, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"

        static let words = allCases.map(\.rawValue)
    }

    /// The consumption percentage of a product that is used up, in thousandths.
    static let whole: Int64 = 100_000

    /// The share of the product that was consumed, in thousandths of a percent; `nil` is left out.
    var consumptionPercentage: Int64?
    var deliveryStatus: DeliveryStatus
    /// The preferred outcome; `nil` is left out.
    var refundPreference: RefundPreference?
    var sampleContentProvided: Bool

    /// The body as JSON on one line; the customer has always consented.
    var json: String {
        var object = JSONText()
        object.add("customerConsented", true)
        object.add("consumptionPercentage", consumptionPercentage)
        object.add("deliveryStatus", deliveryStatus.rawValue)
        object.add("refundPreference", refundPreference?.rawValue)
        object.add("sampleContentProvided", sampleContentProvided)
        return object.text
    }

    /// A consumption percentage for a reader: `60000 (60 %)`.
    static func words(_ percentage: Int64) -> String {
        "\(percentage) (\(TextFormat.percent(percentage)))"
    }
}
