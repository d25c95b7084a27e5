import PurchaseEvents
import Testing
import PurchaseSimulation

// The example begins.
/// An app's own code: the coins that somebody can spend.
struct Wallet {
    private(set) var coins: Int64 = 0
    private var known: Set<TransactionID<Written>> = []

    mutating func hear(_ fact: Fact<Written>) {
        guard case .queuePurchased(let said) = fact, said.product == "com.example.coins.100",
            known.insert(said.transaction).inserted
        else { return }
        coins += said.quantity ?? 1
    }
}

@Test func `a purchase that is presented again adds nothing`() {
    let property = Property("a purchase presented again adds nothing", cases: 200) { trial in
        let options = SimulationOptions(events: 60, accounts: 1, days: 30)
        let simulation = Simulation(options, choices: trial.choices)
        var wallet = Wallet()
        while let event = simulation.next() {
            wallet.hear(event.fact)
            let coins = wallet.coins
            wallet.hear(event.fact)
            if wallet.coins != coins { return "seq \(event.seq) counts twice" }
        }
        return nil
    }
    let found = property.run().counterexample
    #expect(found == nil, "\(found.map(String.init(describing:)) ?? "")")
}
// The example ends.
