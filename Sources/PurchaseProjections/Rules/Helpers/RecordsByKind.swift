import PurchaseEvents

/// Records by the kind of their product at the time when they were judged, so that they are judged
/// again when the log names another kind.
///
/// Cost: constant for a record; as much for each of a product's records at a change of its kind, of
/// which ``limit`` are followed; that of all transactions where a change makes a product one to
/// restore, of which ``limit`` are followed in all.
struct RecordsByKind: SnapshottedElement {
    private struct Known {
        var kind: ProductKind?
        var isListed = false
        /// Whether purchases were passed over, because none of the kind is to be restored.
        var isPassedOver = false
        var changes: UInt8 = 0
    }

    private static let limit: UInt8 = 32

    private var known = DenseTable(Known())
    /// The records judged by the latest kind of each product.
    private var listed: [ProductHandle: [UInt32]] = [:]
    private var isListed = DenseTable(false)
    /// How many products were taken up after they had been passed over.
    private var takenUp: UInt8 = 0
    /// The products whose kind changes too often to judge their records again each time.
    private(set) var unsettled: Set<ProductHandle> = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&known).visit(&listed).visit(&isListed).visit(&takenUp).visit(&unsettled)
    }

    /// Lists a record that was judged by the kind of its product.
    mutating func list(_ record: UInt32, _ product: ProductHandle, _ kind: ProductKind?) {
        guard !isListed[Int(record)] else { return }
        isListed[Int(record)] = true
        (known[product.index].kind, known[product.index].isListed) = (kind, true)
        listed[product, default: []].append(record)
    }

    /// Records the kind of a product; returns the records to judge again, which are listed no more.
    mutating func change(_ product: ProductHandle, to kind: ProductKind?) -> [UInt32] {
        let before = known[product.index]
        guard before.isListed, before.kind != kind else { return [] }
        guard before.changes < RecordsByKind.limit else {
            unsettled.insert(product)
            return []
        }
        (known[product.index].isListed, known[product.index].changes) = (false, before.changes + 1)
        let records = listed.removeValue(forKey: product) ?? []
        for record in records { isListed[Int(record)] = false }
        return records
    }

    /// Notes that a purchase of a product was passed over.
    @inline(__always)
    mutating func passOver(_ product: ProductHandle) { known[product.index].isPassedOver = true }

    /// Whether a product that was passed over is now of a kind to restore.
    mutating func takesUp(_ product: ProductHandle, _ kind: ProductKind?) -> Bool {
        guard known[product.index].isPassedOver, kind == .nonConsumable || kind == .autoRenewable
        else { return false }
        guard takenUp < RecordsByKind.limit else {
            unsettled.insert(product)
            return false
        }
        takenUp += 1
        known[product.index].isPassedOver = false
        return true
    }
}
