import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections

/// Sums the findings by account, over all logs.
struct AffectedAccounts {
    private struct Entry {
        var row: AffectedAccount
        /// The rank of the finding that gave the hint.
        var rank: Rank
        /// The transactions whose price is part of the stake.
        var staked: Set<Key> = []
    }

    private struct Key: Hashable {
        var log: Int
        var transaction: ExactName
    }

    /// Ranks findings by level, the most severe first, then by loser: buyer, seller, nobody.
    private typealias Rank = (level: Int, side: Int)

    private var entries: [ExactName?: Entry] = [:]

    mutating func add(_ findings: [Finding], _ facts: Facts, log: Int) {
        for finding in findings {
            let account = finding.account?.exact
            let side = finding.level == .note ? .nobody : MoneySide.of(rule: finding.rule)
            let rank = (finding.level.rank, side == .buyer ? 0 : side == .seller ? 1 : 2)
            let new = AffectedAccount(
                account: finding.account, level: finding.level, findings: 0, hint: finding.hint)
            var entry = entries.removeValue(forKey: account) ?? Entry(row: new, rank: rank)
            entry.row.findings += 1
            if rank < entry.rank {
                entry.rank = rank
                (entry.row.level, entry.row.hint) = (finding.level, finding.hint)
            }
            if side == .buyer { entry.row.buyerLoses = true }
            if side == .seller { entry.row.sellerLoses = true }
            let stake = Stake(of: finding, facts)
            if !stake.isEmpty, let key = finding.key?.exact,
                entry.staked.insert(Key(log: log, transaction: key)).inserted
            {
                entry.row.stake.add(stake)
            }
            entries[account] = entry
        }
    }

    /// The accounts by rank, then by number of findings, the largest first, then by name.
    var rows: [AffectedAccount] {
        entries.values
            .sorted { left, right in
                if left.rank != right.rank { return left.rank < right.rank }
                if left.row.findings != right.row.findings {
                    return left.row.findings > right.row.findings
                }
                return (left.row.account ?? "") < (right.row.account ?? "")
            }
            .map(\.row)
    }
}
