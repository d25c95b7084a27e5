import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// The findings about one account, in numbers.
struct AffectedAccount {
    /// The account; `nil` for findings of no known account.
    var account: String?
    /// The most severe level among the findings.
    var level: Level
    var findings: Int
    /// The money at stake, each transaction counted once.
    var stake = Stake()
    /// Whether the account loses money, and whether the seller does.
    var buyerLoses = false, sellerLoses = false
    /// The hint of the most severe finding, which says what to look at first.
    var hint: String?

    /// Who loses money, in words.
    var loser: String {
        switch (buyerLoses, sellerLoses) {
        case (true, true): "the account and the seller"
        case (true, false): "the account"
        case (false, true): "the seller"
        case (false, false): "nobody"
        }
    }
}
