import PurchaseEvents

/// The currencies of App Store storefronts, by three-letter country code (ISO 3166-1).
///
/// Source: Apple, App Store Connect Help, "App Store pricing and availability".
enum Storefronts {
    static func currency(of storefront: String) -> Currency? {
        let code = storefront.uppercased()
        return all.first { $0.storefronts.contains(code) }.flatMap { Currency(code: $0.currency) }
    }

    private static let euro: Set<String> = [
        "AUT", "BEL", "CYP", "DEU", "ESP", "EST", "FIN", "FRA", "GRC", "HRV", "IRL", "ITA", "LTU",
        "LUX", "LVA", "MLT", "NLD", "PRT", "SVK", "SVN",
    ]

    private static let all: [(currency: String, storefronts: Set<String>)] = [
        ("USD", ["USA"]), ("EUR", euro), ("GBP", ["GBR"]), ("JPY", ["JPN"]), ("CAD", ["CAN"]),
        ("AUD", ["AUS"]), ("CHF", ["CHE"]), ("CNY", ["CHN"]), ("HKD", ["HKG"]), ("TWD", ["TWN"]),
        ("KRW", ["KOR"]), ("INR", ["IND"]), ("SGD", ["SGP"]), ("NZD", ["NZL"]), ("MXN", ["MEX"]),
        ("BRL", ["BRA"]), ("CLP", ["CHL"]), ("COP", ["COL"]), ("PEN", ["PER"]), ("SEK", ["SWE"]),
        ("NOK", ["NOR"]), ("DKK", ["DNK"]), ("PLN", ["POL"]), ("CZK", ["CZE"]), ("HUF", ["HUN"]),
        ("RON", ["ROU"]), ("TRY", ["TUR"]), ("RUB", ["RUS"]), ("ILS", ["ISR"]),
        ("AED", ["ARE"]), ("SAR", ["SAU"]), ("QAR", ["QAT"]), ("EGP", ["EGY"]), ("ZAR", ["ZAF"]),
        ("NGN", ["NGA"]), ("TZS", ["TZA"]), ("KZT", ["KAZ"]), ("PKR", ["PAK"]), ("THB", ["THA"]),
        ("MYR", ["MYS"]), ("IDR", ["IDN"]), ("PHP", ["PHL"]), ("VND", ["VNM"]),
    ]
}
