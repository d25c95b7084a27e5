import PurchaseProjections

/// The values that identify a finding whatever its line: rule, key and account, byte by byte.
struct FindingName: Hashable, Sendable {
    let rule: String
    let key: [UInt8]?, account: [UInt8]?

    init(rule: String, key: [UInt8]?, account: [UInt8]?) {
        (self.rule, self.key, self.account) = (rule, key, account)
    }

    init(rule: String, key: String?, account: String?) {
        self.rule = rule
        self.key = key.map { Array($0.utf8) }
        self.account = account.map { Array($0.utf8) }
    }

    init(_ finding: Finding) {
        self.init(rule: finding.rule, key: finding.key, account: finding.account)
    }
}
