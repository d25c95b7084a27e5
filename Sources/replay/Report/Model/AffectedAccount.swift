import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// What the findings say about one account, in numbers.
struct AffectedAccount {
    /// The account; `nil` for findings of no known account.
    var account: String?
    /// The gravest level among the findings.
    var level: Level
    var findings: Int
    /// The money at stake, each transaction counted once.
    var stake = Stake()
    /// Whether the account loses money, and whether the seller does.
    var buyerLoses = false, sellerLoses = false
    /// What to look at first: the hint of the gravest finding.
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
