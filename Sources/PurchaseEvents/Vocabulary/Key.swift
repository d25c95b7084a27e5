/// Every key of the format; each case has the key's name in a log line.
public enum Key: UInt8, CaseIterable, Hashable, Sendable {
    case seq, at, type, id, source, account, device, environment, signedAt
    case schema, app, writer, chained, text, sha256, file
    case product, kind, group, level, period, price, currency, hosted, family
    case payment, quantity, payer
    case transaction, original, purchasedAt, originalPurchasedAt, expiresAt, ownership, offer
    case error, code
    case outcome, status, store, download, state, bytes, total, place, until, reason
    case receipt, cancelledAt, upgraded
    case by
    case resubscribed, recovered, retrying, graceExpiresAt, next, effect, consent
    case percent
    case notification, name, subtype, version, secret, signature
    case content, publishedAt, from
    case chain

    /// The size of a table with one place for each key, and at least one more.
    static let room = 128

    /// The key in a log line: the name of the case.
    public var wireName: String { Key.wireNames[Int(rawValue)] }

    /// The length of the key in a log line, in bytes.
    var wireLength: Int { Int(Key.wireLengths[Int(rawValue)]) }

    private static let wireLengths: [UInt8] = allCases.map { UInt8($0.wireName.utf8.count) }

    /// The key in a log line with its quotes and colon.
    var quotedName: [UInt8] { Key.quotedNames[Int(rawValue)] }

    private static let quotedNames: [[UInt8]] = allCases.map { Array("\"\($0.wireName)\":".utf8) }

    private static let wireNames: [String] = allCases.map { String(describing: $0) }

    /// The keys indexed by their wire names.
    static let names = WordIndex<Key>(pairs: allCases.map { ($0.wireName, $0) })
}

/// A set of keys.
struct KeySet: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ keys: some Sequence<Key>) {
        for key in keys { _ = insert(key) }
    }

    /// Adds a key; returns `false` if the set has it already.
    @inline(__always)
    mutating func insert(_ key: Key) -> Bool {
        let bit: UInt64 = 1 << UInt64(key.rawValue & 63)
        if key.rawValue < 64 {
            guard low & bit == 0 else { return false }
            low |= bit
        } else {
            guard high & bit == 0 else { return false }
            high |= bit
        }
        return true
    }

    @inline(__always)
    func contains(_ key: Key) -> Bool {
        let word = key.rawValue < 64 ? low : high
        return word >> UInt64(key.rawValue & 63) & 1 != 0
    }

    /// Calls `body` with each key of the set, in order.
    func forEach(_ body: (Key) -> Void) {
        for (word, first) in [(low, UInt8(0)), (high, 64)] {
            var left = word
            while left != 0 {
                if let key = Key(rawValue: first + UInt8(left.trailingZeroBitCount)) { body(key) }
                left &= left - 1
            }
        }
    }

    /// Whether the two sets share no key.
    @inline(__always)
    func isDisjoint(from other: KeySet) -> Bool {
        low & other.low == 0 && high & other.high == 0
    }

    /// Whether the other set has every key of this one.
    @inline(__always)
    func isSubset(of other: KeySet) -> Bool {
        low & ~other.low == 0 && high & ~other.high == 0
    }
}
