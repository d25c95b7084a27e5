import PurchaseEvents
import PurchaseProjections
import PurchaseSimulation

/// The rows that follow from what the App Store states, without what only the app knows.
enum StatedRows {
    static let projections: [any Projection.Type] = [
        Entitlements.self, Subscriptions.self, Accounts.self,
    ]

    /// Folds a log of statements, as of an instant.
    static func show(of statements: [Event<Written>], asOf instant: Timestamp) throws -> Show {
        let reader = LogReader()
        var show = Show(projections, names: reader.decoder.names, asOf: instant)
        try reader.read(MemorySource(bytes(of: statements))) { line in
            show.observe(line)
            return true
        }
        return show
    }

    static func rows(of projection: any Projection.Type, _ show: Show) -> [String] {
        show.rows(of: projection).map(text)
    }

    private static func text(of row: any ProjectionRow) -> String {
        RowJSON.text(of: row.fields.filter { !ofTheApp.contains($0.key) })
    }

    private static let ofTheApp: Set<String> = ["granted", "quantity"]

    private static func bytes(of events: [Event<Written>]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for event in events { try LineWriter.append(event, to: &bytes) }
        return bytes
    }
}

// The rows after each body that arrives.
extension StatedRows {
    /// For each place in the order of arrival, a line of JSON with the rows of the body's account
    /// that are then right: those that follow from the bodies that have arrived.
    ///
    /// A body that names no account has those rows of its customer that name none either.
    ///
    /// Cost: for each body, the number of transactions of its customer.
    static func afterEach(of store: SimulatedAppStore, threads: Int) throws -> [String] {
        var places: [String: [Int]] = [:]
        var order: [String] = []
        for place in 0..<store.count {
            // What names no customer changes no row.
            let customer = store.delivery(place, isSigned: false).customer ?? ""
            if places[customer] == nil { order.append(customer) }
            places[customer, default: []].append(place)
        }
        let results = concurrentMap(order.count, threads: threads) { index in
            Result { try after(places[order[index]] ?? [], of: store) }
        }
        var lines = [String](repeating: "", count: store.count)
        for (customer, result) in zip(order, results) {
            for (place, line) in zip(places[customer] ?? [], try result.get()) {
                lines[place] = line
            }
        }
        return lines
    }

    private static func after(_ places: [Int], of store: SimulatedAppStore) throws -> [String] {
        var events = [store.opening]
        var seen: Set<String> = []
        // The number of events after each body.
        var ends: [Int] = []
        let deliveries = places.map { store.delivery($0, isSigned: false) }
        for delivery in deliveries {
            if seen.insert(delivery.notification).inserted { events += delivery.statements }
            ends.append(events.count)
        }
        for index in events.indices { events[index].seq = Int64(index + 1) }
        let reader = LogReader()
        var show = Show(projections, names: reader.decoder.names)
        var lines: [String] = []
        var count = 0
        try reader.read(MemorySource(bytes(of: events))) { line in
            show.observe(line)
            count += 1
            while lines.count < ends.count, ends[lines.count] == count {
                let place = lines.count
                lines.append(after(deliveries[place], places[place], show))
            }
            return true
        }
        return lines
    }

    private static func after(_ delivery: StoreDelivery, _ place: Int, _ show: Show) -> String {
        var json = JSONText()
        json.add("delivery", place + 1)
        json.add("asOf", delivery.arrivesAt.text)
        json.add("account", delivery.account)
        for projection in projections {
            let rows = show.rows(of: projection, asOf: delivery.arrivesAt)
                .filter { $0.account == delivery.account }.map(text)
            json.add(projection.name, raw: "[\(rows.joined(separator: ","))]")
        }
        return json.text
    }
}
