import PurchaseEvents

/// Decides the environment of a document (G9.3) from its statements and its periods.
struct AppStoreEnvironment {
    /// The value of `receipt_type`, which only receipts have.
    var receiptType: Environment?
    /// The values of the document's `environment` keys, in order.
    var stated: [Environment] = []
    var rows: [AppStoreRow] = []

    /// The environment, and the reason if it differs from the stated one.
    ///
    /// The receipt type takes precedence over `environment`. Without a receipt type, production
    /// becomes sandbox if every period is shorter than a day: real periods last days, and periods
    /// of the test environment last minutes (G9.2). Of two contradicting values, the one other than
    /// production wins, because it grants nothing.
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
            ? (.sandbox, "all its periods are shorter than a day, as only in the test environment")
            : (first, nil)
    }

    private var showsTestPeriods: Bool {
        let lengths = rows.filter(\.isUncancelledPeriod).compactMap { row in
            row.expiresAt.map { row.purchasedAt.distance(to: $0) }
        }
        return !lengths.isEmpty && lengths.allSatisfy { (1..<Timestamp.day).contains($0) }
    }

    /// The values of `environment` in all versions of App Store data.
    static let words: [String: Environment] = [
        "production": .production, "prod": .production, "sandbox": .sandbox, "xcode": .xcode,
        "localtesting": .xcode,
    ]

    /// The values of `receipt_type`; VPP is Apple's volume purchase program.
    static let receiptTypes: [String: Environment] = [
        "production": .production, "productionvpp": .production, "productionsandbox": .sandbox,
        "productionvppsandbox": .sandbox, "sandbox": .sandbox, "xcode": .xcode,
    ]

    static func stated(_ record: RecordReader?) -> Environment? {
        record?.word("environment", words, "Production, PROD or Sandbox")
    }

    /// The environment; adds a remark if it differs from the record's `environment`.
    func decided(_ record: RecordReader) -> Environment? {
        let (environment, reason) = decision
        if let environment, let reason {
            let words = Environment.allCases.filter(stated.contains).map(\.rawValue)
            let seen = words.joined(separator: " and ")
            record.remark(
                .note, record.value("environment") == nil ? nil : "environment",
                "seen \(seen), used \(environment.rawValue): \(reason)")
        }
        return environment
    }
}
