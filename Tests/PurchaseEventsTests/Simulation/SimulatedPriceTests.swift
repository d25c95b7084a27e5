import PurchaseEvents
import Testing
import PurchaseSimulation

struct SimulatedPriceTests {
    /// A price is for the whole transaction (event-log.md, 1).
    @Test func `a request with too great a quantity costs the price of that quantity`() throws {
        var options = SimulationOptions(events: 1_000, accounts: 10, days: 365)
        options.faults = [.requestsTooMany]
        let simulation = Simulation(options, choices: SeededChoices(seed: 1))
        var prices: [ProductID<Written>: Int64] = [:]
        var requests: [PaymentRequested<Written>] = []
        while let event = simulation.next() {
            if case .catalogListed(let fact) = event.fact { prices[fact.product] = fact.price }
            if case .paymentRequested(let fact) = event.fact, fact.quantity ?? 1 > 10 {
                requests.append(fact)
            }
        }
        #expect(requests.count == simulation.planted.count)
        for request in requests {
            let price = try #require(prices[request.product])
            #expect(request.price == price * (request.quantity ?? 1))
        }
    }
}
