extension Key {
    /// The integers that a key accepts (event-log.md, 1).
    var range: ClosedRange<Int64> {
        switch self {
        case .seq, .level, .schema: 1...Key.largestInteger
        case .quantity, .commitmentNumber, .commitmentOf: 1...Int64(Int32.max)
        case .percent: 0...100_000
        case .bytes, .total: 0...Key.largestInteger
        case .version: 1...2
        case .at, .type, .id, .source, .account, .device, .environment, .signedAt, .app, .writer,
            .chained, .text, .sha256, .file, .product, .kind, .group, .period, .price, .currency,
            .hosted, .family, .payment, .payer, .transaction, .original, .purchasedAt,
            .originalPurchasedAt, .expiresAt, .ownership, .offer, .plan, .commitmentUntil,
            .commitmentPrice, .error, .code, .outcome, .status, .store, .download, .state, .place,
            .until, .reason, .receipt, .cancelledAt, .upgraded, .by, .resubscribed, .recovered,
            .retrying, .graceExpiresAt, .next, .effect, .commitment, .consent, .notification, .name,
            .subtype, .secret, .signature, .content, .publishedAt, .from, .chain:
            -Key.largestInteger...Key.largestInteger
        }
    }

    /// 2^53 − 1, the largest integer that every JSON reader can represent.
    static let largestInteger: Int64 = 9_007_199_254_740_991
}
