import Testing

@testable import PurchaseEvents

/// Compares the vocabulary with event-log.md, section 3, copied by hand.
struct SchemaTests {
    private static let format = """
        log.opened schema app? writer? chained?
        log.noted text
        log.recovered bytes sha256 file?
        app.launched
        catalog.requested product
        catalog.listed product kind group? level? period? price? currency? hosted? family?
        catalog.invalid product
        payment.restricted
        payment.allowed
        payment.requested payment product quantity? payer? price? currency?
        queue.observed
        queue.unobserved
        queue.purchasing payment
        queue.deferred payment
        queue.failed payment error code?
        queue.purchased transaction payment? original? product quantity? purchasedAt \
        originalPurchasedAt? expiresAt? price? currency? ownership? offer? plan? \
        commitmentNumber? commitmentOf? commitmentUntil? commitmentPrice?
        queue.restored transaction original product quantity? purchasedAt originalPurchasedAt? \
        expiresAt? ownership?
        queue.finished transaction? payment?
        queue.removed transaction? payment?
        delivery.validated transaction outcome status?
        delivery.persisted transaction store
        delivery.download transaction download state bytes? total? error?
        delivery.installed transaction place
        delivery.delivered transaction quantity? until?
        delivery.withdrawn transaction reason quantity?
        delivery.unlocked product
        delivery.consumed product quantity?
        receipt.refreshed receipt
        receipt.listed receipt? transaction original? product kind? group? quantity? purchasedAt \
        originalPurchasedAt? expiresAt? cancelledAt? upgraded? ownership? offer? plan? \
        commitmentNumber? commitmentOf? commitmentUntil? commitmentPrice? price? currency?
        receipt.validated receipt outcome status?
        restore.requested by
        restore.selected product
        restore.completed
        restore.failed error code?
        renewal.started transaction original product group? purchasedAt expiresAt resubscribed? \
        price? currency? offer? plan? commitmentNumber? commitmentOf? commitmentUntil? \
        commitmentPrice?
        renewal.renewed transaction original product group? purchasedAt expiresAt recovered? \
        price? currency? offer? plan? commitmentNumber? commitmentOf? commitmentUntil? \
        commitmentPrice?
        renewal.failed original product? retrying? graceExpiresAt?
        renewal.graceExpired original
        renewal.expired original product? expiresAt? reason
        renewal.turnedOff original commitment?
        renewal.turnedOn original commitment?
        renewal.planChanged original product? next effect
        renewal.priceIncreased original consent
        renewal.extended original transaction? expiresAt
        cancellation.refunded transaction original? cancelledAt reason? percent?
        cancellation.revoked transaction original? cancelledAt reason?
        cancellation.reversed transaction
        cancellation.requested transaction
        cancellation.declined transaction
        notification.received notification name subtype? version secret? signature?
        content.published content product? group? publishedAt
        content.opened content
        account.linked original from?
        """.split(separator: "\n").map(String.init)

    private static func row(_ type: EventType) -> String {
        let keys = type.schema.map { $0.key.wireName + ($0.isRequired ? "" : "?") }
        return ([type.wireName] + keys).joined(separator: " ")
    }

    @Test func `the types and their keys match the format, in order`() {
        #expect(EventType.allCases.map(SchemaTests.row) == SchemaTests.format)
    }

    @Test func `the envelope matches the format`() {
        let keys = EventType.envelope.map { $0.key.wireName + ($0.isRequired ? "" : "?") }
        #expect(
            keys.joined(separator: " ")
                == "seq at type id? source? account? device? environment? signedAt?")
        for type in EventType.allCases {
            #expect(type.canonicalFields.map(\.key).last == .chain)
            #expect(type.canonicalFields.count == keys.count + type.schema.count + 1)
            #expect(Set(type.canonicalFields.map(\.key)).count == type.canonicalFields.count)
        }
    }

    @Test func `type names are unique`() {
        for type in EventType.allCases {
            #expect(EventType(wireName: type.wireName) == type)
            #expect(EventTypes.all.contains(type))
        }
        #expect(EventType(wireName: "log.open") == nil)
        #expect(EventType(wireName: "Log.opened") == nil)
        #expect(EventType(wireName: "") == nil)
        #expect(EventTypes.all.types == EventType.allCases)
        #expect(EventTypes(.queuePurchased).types == [.queuePurchased])
    }

    @Test func `every key belongs to the envelope or to a type`() {
        let used = Set(EventType.allCases.flatMap { $0.canonicalFields.map(\.key) })
        #expect(used == Set(Key.allCases))
    }

    @Test func `the schemas equal the golden file`() throws {
        var text = "envelope\n" + EventType.envelope.map(SchemaTests.describe).joined()
        for type in EventType.allCases {
            text += type.wireName + "\n" + type.schema.map(SchemaTests.describe).joined()
        }
        try expectGolden(text, "vocabulary/schemas.txt")
    }

    private static func describe(_ field: Field) -> String {
        let kind =
            switch field.kind {
            case .name(let role): "name, \(role)"
            case .id: "name"
            case .text: "text"
            case .time: "time"
            case .flag: "flag"
            case .currency: "currency"
            case .integer(let range): "integer \(range.lowerBound) to \(range.upperBound)"
            case .word(let words): words.joined(separator: " | ")
            }
        return "    \(field.key.wireName)\(field.isRequired ? "" : "?"): \(kind)\n"
    }
}
