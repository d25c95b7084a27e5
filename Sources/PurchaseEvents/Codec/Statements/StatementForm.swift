/// The packed form of a value (``StatementPacking``).
enum StatementForm: UInt8 {
    /// The value verbatim: a number or a word without quotes.
    case bare
    /// A string verbatim, without its opening quote.
    ///
    /// The forms from ``name`` to ``seconds`` stand for the beginning of a string.
    case string
    /// A name, as its handle.
    case name
    /// A UUID in lower case, as 16 bytes.
    case uuid
    /// 16 hexadecimal digits in lower case, as eight bytes.
    case digits
    /// A date, as six bytes of milliseconds since 1970.
    case milliseconds
    /// A date of a whole second, as four bytes of seconds.
    case seconds
    /// An integer without a sign.
    case number

    /// Whether the value begins with a quote.
    var isQuoted: Bool { self != .bare && self != .number }

    /// The form that most values of a key have.
    @inline(__always)
    static func usual(of key: Key) -> StatementForm {
        switch key {
        case .account, .device, .source, .transaction, .original, .payment, .product, .group: .name
        case .id, .receipt, .notification: .uuid
        case .purchasedAt, .originalPurchasedAt, .expiresAt, .cancelledAt, .graceExpiresAt,
            .until, .publishedAt, .commitmentUntil:
            .seconds
        case .at, .signedAt: .milliseconds
        case .seq, .schema, .level, .price, .quantity, .percent, .bytes, .total, .place, .code,
            .commitmentNumber, .commitmentOf, .commitmentPrice:
            .number
        case .chained, .hosted, .family, .upgraded, .resubscribed, .recovered, .retrying,
            .commitment:
            .bare
        case .type, .environment, .app, .writer, .text, .sha256, .file, .kind, .period, .currency,
            .payer, .ownership, .offer, .plan, .error, .outcome, .status, .store, .download, .state,
            .reason, .by, .next, .effect, .consent, .name, .subtype, .version, .secret, .signature,
            .content, .from, .chain:
            .string
        }
    }
}
