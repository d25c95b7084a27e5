import PurchaseEvents

/// How many events a second are appended: alone, by eight tasks at once, in batches.
struct Measurement {
    let request: Request

    init(_ request: Request) { self.request = request }

    func run() async throws {
        let count = request.number("events", 1_000)
        try await measure("one at a time", count) { log in
            for number in 0..<count { try append(fact(number), to: log) }
        }
        try await measure("eight tasks", count * 4) { log in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<count / 2 {
                            try await log.append(fact(task * count + number))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let batches = request.number("batches", 50)
        let drafts = (0..<batches).map { batch in (0..<10_000).map { fact(batch * 10_000 + $0) } }
        try await measure("batches of 10,000", batches * 10_000) { log in
            for batch in drafts { try append(batch, to: log) }
        }
    }

    private func measure(
        _ name: String, _ count: Int, _ body: (EventLog) async throws -> Void
    ) async throws {
        let path = request.log + "." + name.split(separator: " ")[0]
        let log = try EventLog.create(
            at: path, recordedAt: time, durability: request.durability, layout: request.layout,
            chained: !request.has("unchained"))
        let start = ContinuousClock.now
        try await body(log)
        let span = start.duration(to: .now)
        let seconds =
            Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18
        say("\(name): \(Int(Double(count) / seconds)) events/s")
        log.close()
    }

    private func append(_ draft: Draft, to log: EventLog) throws { try log.append(draft) }
    private func append(_ drafts: [Draft], to log: EventLog) throws { try log.append(drafts) }

    /// An event of the usual kind: about 250 bytes.
    private func fact(_ number: Int) -> Draft {
        let transaction = String(4_700_019_000_000_000 + number)
        return Draft(
            at: time.advanced(byMilliseconds: Int64(number)), id: "purchase-\(transaction)",
            account: "6f1c2b1e-3d47-4a90-8c55-2b7e90d1f3a8", device: "phone-1",
            .queuePurchased(
                .init(
                    transaction: .init(transaction), product: "com.example.coins.100",
                    purchasedAt: time)))
    }
}
