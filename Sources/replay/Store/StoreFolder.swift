import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation

struct StoreFolder {
    let store: SimulatedAppStore
    let folder: NewFolder
    let threads: Int

    /// The number of bodies or pages that are signed before they are written.
    private static let batch = 256

    /// Writes all files; returns the number of pages.
    func write() throws -> Int {
        try folder.add("root.pem", store.root)
        try writeLog()
        try writeDeliveries()
        let pages = try writePages()
        try writeExpected()
        return pages
    }

    private func writeLog() throws {
        let file = try folder.file("log.jsonl")
        for event in store.log { try file.append { try LineWriter.append(event, to: &$0) } }
        try file.flush()
    }

    /// Writes the bodies in the order of arrival, and what arrives beside each.
    private func writeDeliveries() throws {
        let bodies = try folder.file("notifications.jsonl")
        let deliveries = try folder.file("deliveries.jsonl")
        try inBatches(store.count, { store.delivery($0) }) { delivery in
            try bodies.line(delivery.body)
            var json = JSONText()
            json.add("arrivesAt", delivery.arrivesAt.text)
            json.add("attempt", delivery.attempt)
            json.add("notification", delivery.notification)
            json.add("type", delivery.type)
            json.add("subtype", delivery.subtype)
            json.add("original", delivery.original)
            json.add("customer", delivery.customer)
            if delivery.isSample { json.add("sample", true) }
            try deliveries.line(json.text)
        }
        try bodies.flush()
        try deliveries.flush()
    }

    private func writePages() throws -> Int {
        var count = store.notificationPageCount
        try inBatches(store.customerCount, { store.pages(ofCustomer: $0) }) { pages in
            for page in pages { try folder.add(page.path, page.json + "\n") }
            count += pages.count
        }
        try inBatches(store.notificationPageCount, { store.notificationPage($0) }) { page in
            try folder.add(page.path, page.json + "\n")
        }
        return count
    }

    private func writeExpected() throws {
        let show = try StatedRows.show(of: store.statements, asOf: store.end)
        for projection in StatedRows.projections {
            let lines = StatedRows.rows(of: projection, show).map { $0 + "\n" }
            try folder.add("expected/\(projection.name).jsonl", lines.joined())
        }
        let after = try folder.file("expected/after.jsonl")
        for line in try StatedRows.afterEach(of: store, threads: threads) { try after.line(line) }
        try after.flush()
    }

    /// Makes things on several threads, a batch at a time, and takes them in order.
    private func inBatches<Made>(
        _ count: Int, _ make: (Int) -> Made, _ take: (Made) throws -> Void
    ) throws {
        for start in stride(from: 0, to: count, by: StoreFolder.batch) {
            let size = min(StoreFolder.batch, count - start)
            for made in concurrentMap(size, threads: threads, { make(start + $0) }) {
                try take(made)
            }
        }
    }
}
