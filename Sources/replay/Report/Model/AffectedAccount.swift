import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

struct AffectedAccount {
    var account: String?
    /// The most severe level among the findings.
    var level: Level
    var findings: Int
    /// The money at stake, each transaction counted once.
    var stake = Stake()
    var buyerLoses = false, sellerLoses = false
    /// The hint of the most severe finding, which says what to look at first.
    var hint: String?

    var loser: String {
        switch (buyerLoses, sellerLoses) {
        case (true, true): "the account and the seller"
        case (true, false): "the account"
        case (false, true): "the seller"
        case (false, false): "nobody"
        }
    }
}
