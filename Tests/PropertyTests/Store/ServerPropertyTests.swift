import Foundation
import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation
import TestSupport
import Testing

/// A property over a server's own handler of notifications.
struct ServerPropertyTests {
    // The example begins.
    /// A server's handler keeps what the App Store states of purchases for ever.
    func property(of makeServer: @escaping () -> any PurchaseServer) -> Property {
        Property("the server owes what the App Store states", cases: 20, shrinks: 30) { trial in
            let store = SimulatedAppStore(choices: trial.choices, deliveries: .shuffled)
            var (server, stated) = (makeServer(), [store.log[0]])
            while let delivery = store.next() {
                try server.receive(delivery.body)
                stated += delivery.statements
                let owed = try owed(by: stated, asOf: delivery.arrivesAt)
                guard server.owed != owed else { continue }
                return "after \(delivery.type), attempt \(delivery.attempt), of "
                    + "\(delivery.original ?? "no purchase"): expected \(owed.sorted()), "
                    + "seen \(server.owed.sorted())"
            }
            return nil
        }
    }
    // The example ends.

    @Test func `the walk shows the example`() throws {
        let page = try String(
            contentsOf: Folders.root.appending(path: "docs/server.md"), encoding: .utf8)
        let own = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = own.split(separator: "\n", omittingEmptySubsequences: false)
        let first = try #require(lines.firstIndex { $0.hasSuffix("// The example begins.") })
        let last = try #require(lines.firstIndex { $0.hasSuffix("// The example ends.") })
        let example = lines[(first + 1)..<last].map { $0.dropFirst(4) }.joined(separator: "\n")
        #expect(page.contains("```swift\n\(example)\n```"))
    }

    @Test func `a server that compares dates passes`() {
        var tried = property { Server(comparesDates: true) }
        tried.cases = Effort.of(whole: 20, part: 6)
        let result = tried.run()
        #expect(result.counterexample == nil, "\(String(describing: result.counterexample))")
    }

    @Test func `a server that believes the latest arrival is found`() throws {
        var tried = property { Server(comparesDates: false) }
        tried.shrinks = Effort.of(whole: 30, part: 3)
        let found = try #require(tried.run().counterexample)
        #expect(found.problem.contains("attempt"), "\(found.problem)")
    }

    @Test func `the bodies follow from the choices alone, and differ by the kind of delivery`() {
        func bodies(_ seed: UInt64, _ deliveries: StoreDeliveries) -> [String] {
            let store = SimulatedAppStore(
                choices: SeededChoices(seed: seed), deliveries: deliveries)
            return IteratorSequence(store).map(\.body)
        }
        var repeated = 0
        for seed: UInt64 in 1...3 {
            let clean = bodies(seed, .clean), retried = bodies(seed, .retried)
            let shuffled = bodies(seed, .shuffled)
            #expect(retried == bodies(seed, .retried))
            #expect(Set(clean) == Set(retried) && Set(clean) == Set(shuffled))
            #expect(clean.count == Set(clean).count)
            #expect(clean != shuffled)
            repeated += retried.count - clean.count
        }
        #expect(repeated > 0)
    }

    /// The transactions bought for ever that stated facts entitle to at an instant.
    private func owed(by stated: [Event<Written>], asOf instant: Timestamp) throws -> Set<String> {
        var log: [UInt8] = []
        for event in stated { try LineWriter.append(event, to: &log) }
        let reader = LogReader()
        var show = Show([Entitlements.self], names: reader.decoder.names, asOf: instant)
        try reader.read(MemorySource(log)) { line in
            show.observe(line)
            return true
        }
        let rows = show.rows(of: Entitlements.self)
        return Set(
            rows.filter { $0.kind == .nonConsumable && $0.isActive }.compactMap(\.transaction))
    }
}

/// A handler of notifications, and what it owes.
protocol PurchaseServer {
    mutating func receive(_ body: String) throws
    /// The transactions bought for ever that stand.
    var owed: Set<String> { get }
}

/// A small server, right or with a mistake: it may believe a late notification.
private struct Server: PurchaseServer {
    var comparesDates: Bool
    private var purchases: [String: (signedDate: Int64, stands: Bool)] = [:]

    init(comparesDates: Bool) { self.comparesDates = comparesDates }

    var owed: Set<String> { Set(purchases.filter { $0.value.stands }.keys) }

    mutating func receive(_ body: String) throws {
        guard let payload = try Signed.payload("signedPayload", of: Signed.object(Data(body.utf8))),
            let data = payload["data"] as? [String: Any],
            let transaction = try Signed.payload("signedTransactionInfo", of: data),
            data["environment"] as? String == "Production",
            transaction["type"] as? String == "Non-Consumable",
            let id = transaction["transactionId"] as? String,
            let date = transaction["signedDate"] as? Int64
        else { return }
        if comparesDates, let known = purchases[id], known.signedDate > date { return }
        purchases[id] = (date, transaction["revocationDate"] == nil)
    }
}
