import PurchaseEvents

/// Where the facts of a document are true (G9.3), from what it says and what it shows.
struct AppStoreEnvironment {
    /// `receipt_type`, which the App Store sets itself; only receipts have one.
    var receiptType: Environment?
    /// What the document's keys `environment` say, in their order.
    var stated: [Environment] = []
    /// The document's rows.
    var rows: [AppStoreRow] = []

    /// The environment, and why where it isn't simply what was said.
    ///
    /// The receipt type is believed before `environment`. Without one, a document that says
    /// production is believed unless every period in it is shorter than a day: no subscription on
    /// sale lasts less than days, and the test environment's last minutes (G9.2). Of two that
    /// contradict each other the one that grants nothing in production is believed.
    var decision: (environment: Environment?, reason: String?) {
        let first = stated.first
        if let receiptType {
            let differs = first != nil && first != receiptType
            return (receiptType, differs ? "`receipt_type` takes precedence" : nil)
        }
        guard let first else { return (nil, nil) }
        if let other = stated.first(where: { $0 != .production }) {
            let differs = stated.contains(.production)
            return (other, differs ? "another key says `\(other.rawValue)`" : nil)
        }
        return showsTestPeriods
            ? (.sandbox, "all its periods are shorter than a day, as only the test environment's")
            : (first, nil)
    }

    private var showsTestPeriods: Bool {
        let lengths = rows.filter(\.isStanding).compactMap { row in
            row.expiresAt.map { row.purchasedAt.distance(to: $0) }
        }
        return !lengths.isEmpty && lengths.allSatisfy { (1..<Timestamp.day).contains($0) }
    }

    /// The words of `environment` in all versions of the App Store's data.
    static let words: [String: Environment] = [
        "production": .production, "prod": .production, "sandbox": .sandbox, "xcode": .xcode,
        "localtesting": .xcode,
    ]

    /// The words of `receipt_type`; those with VPP are of volume purchases.
    static let receiptTypes: [String: Environment] = [
        "production": .production, "productionvpp": .production, "productionsandbox": .sandbox,
        "productionvppsandbox": .sandbox, "sandbox": .sandbox, "xcode": .xcode,
    ]

    /// Reads `environment` of a record.
    static func stated(_ record: RecordReader?) -> Environment? {
        record?.word("environment", words, "Production, PROD or Sandbox")
    }

    /// The decision, remarked on where it isn't what the record's `environment` says.
    func decided(_ record: RecordReader) -> Environment? {
        let (environment, reason) = decision
        if let environment, let reason {
            let words = Environment.allCases.filter(stated.contains).map(\.rawValue)
            let seen = words.joined(separator: " and ")
            record.remark(
                .note, record.value("environment") == nil ? nil : "environment",
                "seen \(seen), taken for \(environment.rawValue): \(reason)")
        }
        return environment
    }
}
