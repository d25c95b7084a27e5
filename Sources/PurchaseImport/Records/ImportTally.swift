import PurchaseEvents

/// Counts over records: their kinds, the outcomes of their signatures, and the data that the log
/// has no place for.
public struct ImportTally: Hashable, Sendable {
    /// Data of a kind of record that no event has a place for.
    public struct Unplaced: Hashable, Comparable, Sendable {
        /// The kind of record, in the plural: `renewal infos`.
        public var kind: String
        /// The data, usually a key: `offerType`.
        public var thing: String

        /// Whether the left data comes before the right in messages: by kind, then by name.
        public static func < (left: Unplaced, right: Unplaced) -> Bool {
            (left.kind, left.thing) < (right.kind, right.thing)
        }
    }

    /// The number of documents of each kind.
    public internal(set) var kinds: [ImportKind: Int] = [:]
    /// The number of signatures with each outcome.
    public internal(set) var signatures: [SignatureCheck: Int] = [:]
    /// The number of records with each kind of data that no event holds.
    public internal(set) var unplaced: [Unplaced: Int] = [:]
    /// The number of repeated statements, which the log records once.
    public internal(set) var repeated = 0
    /// The number of transactions that name a customer but no account token, if nobody chose the
    /// key of accounts.
    public internal(set) var unnamedCustomers = 0
    /// The keys that the accounts of each customer's records are taken from, if a customer is the
    /// account where there is no token.
    var accountKeys: [Fingerprint: AccountKeys] = [:]

    struct AccountKeys: OptionSet, Hashable {
        let rawValue: UInt8
        static let token = AccountKeys(rawValue: 1), customer = AccountKeys(rawValue: 2)
    }

    /// The number of customers that are two accounts in the log: by a token and by themselves.
    package var dividedCustomers: Int {
        accountKeys.values.count { $0.isSuperset(of: [.token, .customer]) }
    }

    /// The ends of the pages of one record, in order.
    var pages: [PageEnd] = []

    /// Creates a tally of zeros.
    public init() {}

    mutating func add(_ other: ImportTally) {
        kinds.merge(other.kinds, uniquingKeysWith: +)
        signatures.merge(other.signatures, uniquingKeysWith: +)
        unplaced.merge(other.unplaced, uniquingKeysWith: +)
        repeated += other.repeated
        unnamedCustomers += other.unnamedCustomers
        accountKeys.merge(other.accountKeys) { $0.union($1) }
    }
}
