import PurchaseEvents

/// Whether more pages follow a page.
struct PageEnd: Hashable, Sendable {
    var kind: ImportKind
    /// The customer whose transactions are on the page, if they name one.
    var customer: Fingerprint?
    /// Where the page says that more follow; `nil` if it is the last.
    var more: ImportPlace?
}

/// The pages that more pages should follow, of which the import has none (importing.md, 3).
///
/// The pages of one customer follow each other, whatever pages of other customers stand between. A
/// page without a customer follows the page before it, and any page may follow it.
struct OpenPages {
    private struct Key: Hashable {
        var kind: ImportKind
        var customer: Fingerprint?
    }

    private var open: [Key: (number: Int, place: ImportPlace)] = [:]
    private var latest: [ImportKind: Key] = [:]
    private var count = 0

    mutating func take(_ page: PageEnd) {
        var key = Key(kind: page.kind, customer: page.customer)
        if let before = latest[page.kind] {
            if page.customer == nil { key = before }
            if before.customer == nil { open[before] = nil }
        }
        latest[page.kind] = key
        count += 1
        open[key] = page.more.map { (count, $0) }
    }

    /// The kinds and places of the open pages, in the order of the input.
    var all: [(kind: ImportKind, place: ImportPlace)] {
        open.sorted { $0.value.number < $1.value.number }.map { ($0.key.kind, $0.value.place) }
    }
}
