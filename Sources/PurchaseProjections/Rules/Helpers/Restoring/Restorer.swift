import PurchaseEvents

/// An account in one environment, from its first restore on.
struct Restorer: SnapshottedElement {
    var account = AccountHandle(index: 0)
    var restored = RestoredProducts()
    var latestAt = Timestamp.earliest
    /// Records by the start or end of a period, and by the line of a presentation.
    var byTime = EarliestQueue(), byLine = EarliestQueue()

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&account).visit(&restored).visit(&latestAt).visit(&byTime).visit(&byLine)
    }
}
