import PurchaseEvents
import PurchaseSignatures

/// The attributes of a receipt: a SET of attributes with a type, a version and a value each
/// (appstore.md, 2.6).
///
/// The value of an in-app purchase is itself a SET of attributes.
struct ReceiptAttributes {
    private(set) var app: String?
    private(set) var appID: Int64?
    private(set) var environment: Environment?
    private(set) var createdAt: Timestamp?
    private(set) var rows = AppStoreRows([])

    /// Reads the content of a receipt; skips an incomplete purchase with a remark.
    ///
    /// Throws for a malformed encoding. The offset of the problem counts from the start of the
    /// innermost value, which may be a purchase.
    init(_ content: ASN1Reader, _ remarks: ImportRemarks) throws(EncodingProblem) {
        var purchases: [AppStoreRow] = []
        var values = AttributeValues(of: "receipt", remarks)
        for attribute in try ReceiptAttributes.attributes(of: content) {
            if attribute.type == 17 {
                let row = try ReceiptAttributes.row(attribute.value, purchases.count, remarks)
                if let row { purchases.append(row) }
            } else {
                values.take(attribute)
            }
        }
        app = values.text(2)
        appID = values.integer(1)
        environment = values.text(0).flatMap { word in
            let known = AppStoreEnvironment.receiptTypes[word.lowercased()]
            if known == nil { values.leaveOut(0, word, "Production, ProductionSandbox or Xcode") }
            return known
        }
        createdAt = values.time(12)
        rows = AppStoreRows(ReceiptAttributes.markingUpgrades(purchases))
        values.countUnplaced(of: "receipts", known: [0, 1, 2, 12])
    }

    /// The purchases, with upgraded subscriptions marked.
    ///
    /// A subscription is upgraded if it was cancelled at the time when another plan of the same
    /// line was bought. A receipt has no attribute for upgrades; without the mark, the cancellation
    /// would count as a refund.
    private static func markingUpgrades(_ purchases: [AppStoreRow]) -> [AppStoreRow] {
        struct Start: Hashable {
            var line: String
            var time: Timestamp
        }
        var products: [Start: Set<String>] = [:]
        for row in purchases where row.expiresAt != nil {
            products[Start(line: row.line, time: row.purchasedAt), default: []].insert(row.product)
        }
        return purchases.map { row in
            guard row.expiresAt != nil, let time = row.cancelledAt,
                let started = products[Start(line: row.line, time: time)],
                started.contains(where: { $0 != row.product })
            else { return row }
            var upgraded = row
            upgraded.isUpgraded = true
            return upgraded
        }
    }

    private struct Attribute {
        var type: Int64
        var value: ASN1Reader
    }

    /// The attributes of a SET; Xcode wraps the SET in one more OCTET STRING.
    private static func attributes(of content: ASN1Reader) throws(EncodingProblem) -> [Attribute] {
        var reader = content
        while reader.nextTag.map({ $0 & ~ASN1Tag.constructed }) == ASN1Tag.octetString {
            reader = try reader.nextInsideOctets()
        }
        var set = try reader.inside(try reader.next(ASN1Tag.set))
        var attributes: [Attribute] = []
        while !set.isAtEnd {
            var one = try set.inside(try set.next(ASN1Tag.sequence))
            let type = try one.nextInteger()
            _ = try one.nextInteger()
            attributes.append(Attribute(type: type, value: try one.nextInsideOctets()))
        }
        return attributes
    }

    /// The row of an in-app purchase; `nil`, with a remark, without a transaction, a product or a
    /// purchase date.
    private static func row(
        _ content: ASN1Reader, _ number: Int, _ remarks: ImportRemarks
    ) throws(EncodingProblem) -> AppStoreRow? {
        var values = AttributeValues(of: "purchase \(number + 1)", remarks)
        for attribute in try attributes(of: content) { values.take(attribute) }
        guard let transaction = values.text(1703), let product = values.text(1702),
            let purchasedAt = values.time(1704)
        else {
            remarks.add(
                .error, at: 0, path: values.path,
                "expected the attributes 1702, 1703 and 1704, but at least one is missing or "
                    + "invalid; skipped the transaction")
            return nil
        }
        var row = AppStoreRow(
            transaction: transaction, original: values.text(1705), product: product,
            kind: values.integer(1707).flatMap { kinds[$0] },
            quantity: values.integer(1701).flatMap {
                (1...Int64(Int32.max)).contains($0) ? $0 : nil
            },
            purchasedAt: purchasedAt, originalPurchasedAt: values.time(1706),
            expiresAt: values.time(1708), cancelledAt: values.time(1712))
        if values.text(1721) != nil {
            row.offer = .promotional
        } else if values.integer(1713) == 1 || values.integer(1719) == 1 {
            row.offer = .introductory
        }
        values.countUnplaced(
            of: "purchases of receipts",
            known: [1701, 1702, 1703, 1704, 1705, 1706, 1707, 1708, 1712, 1713, 1719, 1721])
        return row
    }

    private static let kinds: [Int64: ProductKind] = [
        0: .nonConsumable, 1: .consumable, 2: .nonRenewing, 3: .autoRenewable,
    ]

    /// The values of a SET of attributes by type; each value is an element inside an OCTET STRING.
    private struct AttributeValues {
        let path: String
        private let remarks: ImportRemarks
        private var values: [Int64: ASN1Reader] = [:]

        init(of path: String, _ remarks: ImportRemarks) {
            self.path = path
            self.remarks = remarks
        }

        mutating func take(_ attribute: Attribute) {
            if values.updateValue(attribute.value, forKey: attribute.type) != nil {
                remarks.add(
                    .note, at: 0, path: path,
                    "the attribute \(attribute.type) is a duplicate; used the last value")
            }
        }

        /// A text; `nil` if absent, empty, not a text, or not valid as a name in a log.
        func text(_ type: Int64) -> String? {
            guard var reader = values[type], !reader.isAtEnd else { return nil }
            let tags = [ASN1Tag.utf8String, ASN1Tag.ia5String, ASN1Tag.printableString]
            guard let element = try? reader.next(), tags.contains(element.tag),
                let text = String(validating: reader.bytes[element.content], as: UTF8.self)
            else {
                leaveOut(type, nil, "a text")
                return nil
            }
            var name = text
            guard name.withUTF8({ NameCheck.isPlain(UnsafeRawBufferPointer($0)) }),
                name.utf8.count <= NameCheck.maximumLength
            else {
                leaveOut(type, text, "a name of 1 to 255 bytes without control characters")
                return nil
            }
            return text.isEmpty ? nil : text
        }

        func integer(_ type: Int64) -> Int64? {
            guard var reader = values[type], !reader.isAtEnd else { return nil }
            guard let value = try? reader.nextInteger() else {
                // Some receipts have app identifiers of nine bytes.
                leaveOut(type, nil, "an integer of 64 bits")
                return nil
            }
            return value
        }

        /// A date, or `nil` if absent; the App Store writes an absent date as an empty text.
        func time(_ type: Int64) -> Timestamp? {
            guard let text = text(type) else { return nil }
            guard let time = ReceiptDate.read(text) else {
                leaveOut(type, text, "a date as RFC 3339 writes it")
                return nil
            }
            return time
        }

        func leaveOut(_ type: Int64, _ seen: String?, _ expected: String) {
            let seen = seen.map { "`\(EscapedText.excerpt(of: $0))`" }
            remarks.add(
                .warning, at: 0, path: path,
                "attribute \(type): expected \(expected), seen \(seen ?? "something else")")
        }

        /// Counts the attributes that no event has a place for; numbers that the App Store doesn't
        /// use count together, because there may be millions of them.
        func countUnplaced(of kind: String, known: Set<Int64>) {
            for type in values.keys where !known.contains(type) {
                let isUsual = (0..<10_000).contains(type)
                remarks.count(
                    unplaced: isUsual ? "attribute \(type)" : "attributes of other types", in: kind)
            }
        }
    }
}

/// The dates of receipts: RFC 3339; some versions of Xcode write the offset without its colon.
enum ReceiptDate {
    /// Reads a date such as `2023-10-19T01:45:40Z`; the offset may be `+01:00` or `+0100`.
    static func read(_ text: String) -> Timestamp? {
        if let time = Timestamp(text) { return time }
        let bytes = Array(text.utf8)
        guard bytes.count > 5 else { return nil }
        let sign = bytes[bytes.count - 5]
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        return Timestamp("\(text.dropLast(2)):\(text.suffix(2))")
    }
}
