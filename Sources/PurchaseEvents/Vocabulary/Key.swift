/// Every key of the format; each case has the key's name in a log line.
public enum Key: UInt8, CaseIterable, Hashable, Sendable {
    /// The position of the event in its log.
    case seq
    /// When the event was recorded.
    case at
    /// The type of the event.
    case type
    /// The idempotency key: the log accepts each `id` once.
    case id
    /// The notification that states the event.
    case source
    /// The account that the event belongs to.
    case account
    /// The installation that recorded the event.
    case device
    /// The environment in which the fact is true.
    case environment
    /// When the App Store signed the statement.
    case signedAt
    /// The version of the format.
    case schema
    /// The bundle identifier of the app.
    case app
    /// The program that wrote the log.
    case writer
    /// Whether lines are chained.
    case chained
    /// A person's remark.
    case text
    /// The digest of the bytes that were cut off.
    case sha256
    /// The file that keeps the bytes that were cut off.
    case file
    /// The product.
    case product
    /// The kind of the product.
    case kind
    /// The subscription group.
    case group
    /// The level of service in the group; 1 is the highest.
    case level
    /// The length of a period, such as `P1M`.
    case period
    /// The price in thousandths of the currency's unit.
    case price
    /// The code of the currency.
    case currency
    /// Whether Apple hosts content of the product.
    case hosted
    /// Whether the product may be shared with the family.
    case family
    /// The recorder's key of the payment.
    case payment
    /// The number of units.
    case quantity
    /// The App Store account that pays.
    case payer
    /// The App Store's identifier of the transaction.
    case transaction
    /// The original transaction, which keys the subscription.
    case original
    /// When the transaction was purchased.
    case purchasedAt
    /// When the original was purchased.
    case originalPurchasedAt
    /// When the period ends.
    case expiresAt
    /// Whether the user bought the product or a family member shares it.
    case ownership
    /// The offer that the purchase used.
    case offer
    /// How the subscriber pays for the subscription: upfront or monthly.
    case plan
    /// The number of this billing period within the commitment.
    case commitmentNumber
    /// The number of billing periods of the commitment.
    case commitmentOf
    /// When the commitment ends.
    case commitmentUntil
    /// The price of the whole commitment, in thousandths of the currency's unit.
    case commitmentPrice
    /// The reason for a failure.
    case error
    /// The platform's error number.
    case code
    /// The result of a validation.
    case outcome
    /// The status code in the server's answer.
    case status
    /// Where the purchase was saved.
    case store
    /// The download.
    case download
    /// The state of the download.
    case state
    /// The number of bytes downloaded so far, or cut off a log.
    case bytes
    /// The size of the whole download in bytes.
    case total
    /// The place that the files were moved to.
    case place
    /// The end that the app sets for a non-renewing subscription.
    case until
    /// The reason for a withdrawal, an expiration or a refund.
    case reason
    /// The snapshot of a receipt.
    case receipt
    /// The date from which a purchase counts as never made.
    case cancelledAt
    /// Whether an upgrade replaced the transaction.
    case upgraded
    /// The requester of a restore: the user or the app.
    case by
    /// Whether the subscriber came back after a lapse.
    case resubscribed
    /// Whether a billing retry succeeded.
    case recovered
    /// Whether the store keeps retrying the payment.
    case retrying
    /// When the grace period ends.
    case graceExpiresAt
    /// The product that the subscription changes to.
    case next
    /// When the change takes effect.
    case effect
    /// Whether the change is about the renewal of the commitment, not of the billing period.
    case commitment
    /// Whether the subscriber has agreed to the new price.
    case consent
    /// The refunded share in thousandths of a percent: 50,000 is 50 %.
    case percent
    /// The notification.
    case notification
    /// The type of the notification.
    case name
    /// The subtype of the notification.
    case subtype
    /// The version of the notification.
    case version
    /// Whether the shared secret was the expected one.
    case secret
    /// The result of checking the signature.
    case signature
    /// The content.
    case content
    /// When the content was published.
    case publishedAt
    /// The account that the subscription belonged to before.
    case from
    /// The chain value, which links the line to the previous line.
    case chain

    /// The size of a table with one place for each key, and at least one more.
    static let room = 128

    /// The key in a log line.
    public var wireName: String { Key.wireNames[Int(rawValue)] }

    var wireLength: Int { Int(Key.wireLengths[Int(rawValue)]) }

    private static let wireLengths: [UInt8] = allCases.map { UInt8($0.wireName.utf8.count) }

    var quotedName: [UInt8] { Key.quotedNames[Int(rawValue)] }

    private static let quotedNames: [[UInt8]] = allCases.map { Array("\"\($0.wireName)\":".utf8) }

    /// The keys in a log line, in the order of the cases.
    private static let wireNames = """
        seq at type id source account device environment signedAt schema app writer chained \
        text sha256 file product kind group level period price currency hosted family payment \
        quantity payer transaction original purchasedAt originalPurchasedAt expiresAt \
        ownership offer plan commitmentNumber commitmentOf commitmentUntil commitmentPrice \
        error code outcome status store download state bytes total place until reason receipt \
        cancelledAt upgraded by resubscribed recovered retrying graceExpiresAt next effect \
        commitment consent percent notification name subtype version secret signature content \
        publishedAt from chain
        """.split(separator: " ").map(String.init)

    static let names = WordIndex<Key>(pairs: allCases.map { ($0.wireName, $0) })
}

struct KeySet: Equatable, Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ keys: some Sequence<Key>) { for key in keys { _ = insert(key) } }

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

    func forEach(_ body: (Key) -> Void) {
        for (word, first) in [(low, UInt8(0)), (high, 64)] {
            var left = word
            while left != 0 {
                if let key = Key(rawValue: first + UInt8(left.trailingZeroBitCount)) { body(key) }
                left &= left - 1
            }
        }
    }

    @inline(__always)
    func isDisjoint(from other: KeySet) -> Bool { low & other.low == 0 && high & other.high == 0 }

    @inline(__always)
    func isSubset(of other: KeySet) -> Bool { low & ~other.low == 0 && high & ~other.high == 0 }
}
