/// How packed bytes stand for a value (``StatementPacking``).
enum StatementForm: UInt8 {
    /// The value as it stands, a number or a word without quotes.
    case bare
    /// The value as it stands behind its quote; those below stand for what a string begins with.
    case string
    /// A name, by its handle.
    case name
    /// The 16 bytes of a UUID in lower case.
    case uuid
    /// The eight bytes of 16 hexadecimal digits in lower case.
    case digits
    /// The six bytes of a date's milliseconds since 1970.
    case milliseconds
    /// The four bytes of a whole second's date.
    case seconds
    /// A whole number without a sign.
    case number

    /// Whether its value begins with a quote.
    var isQuoted: Bool { self != .bare && self != .number }

    /// The form that the values of a key mostly have.
    @inline(__always)
    static func usual(of key: Key) -> StatementForm {
        switch key {
        case .account, .device, .source, .transaction, .original, .payment, .product, .group:
            .name
        case .id, .receipt, .notification: .uuid
        case .purchasedAt, .originalPurchasedAt, .expiresAt, .cancelledAt, .graceExpiresAt,
            .until, .publishedAt:
            .seconds
        case .at, .signedAt: .milliseconds
        case .seq, .schema, .level, .price, .quantity, .percent, .bytes, .total, .place, .code:
            .number
        case .chained, .hosted, .family, .upgraded, .resubscribed, .recovered, .retrying: .bare
        case .type, .environment, .app, .writer, .text, .sha256, .file, .kind, .period, .currency,
            .payer, .ownership, .offer, .error, .outcome, .status, .store, .download, .state,
            .reason, .by, .next, .effect, .consent, .name, .subtype, .version, .secret, .signature,
            .content, .from, .chain:
            .string
        }
    }
}
