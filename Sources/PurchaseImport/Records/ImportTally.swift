import PurchaseEvents

/// What was counted of records: what they were taken for, how their signatures were, and what they
/// say that the log has no place for.
public struct ImportTally: Hashable, Sendable {
    /// Something that a kind of record says and no event has a place for.
    public struct Unplaced: Hashable, Comparable, Sendable {
        /// The kind of record, in the plural: `renewal infos`.
        public var kind: String
        /// What records of the kind say, as a key of theirs: `offerType`.
        public var thing: String

        /// The order of messages.
        public static func < (left: Unplaced, right: Unplaced) -> Bool {
            (left.kind, left.thing) < (right.kind, right.thing)
        }
    }

    /// How many documents of each kind there were.
    public internal(set) var kinds: [ImportKind: Int] = [:]
    /// How many signatures had each outcome.
    public internal(set) var signatures: [SignatureCheck: Int] = [:]
    /// How many records say each thing that has no place in the log.
    public internal(set) var unplaced: [Unplaced: Int] = [:]
    /// How many statements were there again and are recorded once.
    public internal(set) var repeated = 0

    /// Nothing yet.
    public init() {}

    mutating func add(_ other: ImportTally) {
        kinds.merge(other.kinds, uniquingKeysWith: +)
        signatures.merge(other.signatures, uniquingKeysWith: +)
        unplaced.merge(other.unplaced, uniquingKeysWith: +)
        repeated += other.repeated
    }
}
