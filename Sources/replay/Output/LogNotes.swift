import PurchaseEvents

struct LogNotes: Snapshotted {
    var noted: [(line: Int, diagnostic: Diagnostic)] = []
    var counts: [Level: Int] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&noted, empty: (0, Diagnostic(.blankLine, byte: 0, ""))) {
            visitor.visit(&$0.line).visit(&$0.diagnostic.code).visit(&$0.diagnostic.byte)
            visitor.visit(&$0.diagnostic.message)
        }
        visitor.visit(&counts)
    }
}
