/// The part of a purchase that a refund pays back (G6.9).
package enum RefundedShare {
    /// The full share, in thousandths of a percent.
    package static let whole: Int64 = 100_000

    /// The units of a bought quantity that stay paid for after a refund of a share in thousandths
    /// of a percent; `nil` if the share is the whole, as `nil` is. The units taken back are rounded
    /// to the nearest number, halves down, and at least one unit stays: only a refund of the whole
    /// takes back everything.
    package static func unitsKept(of quantity: Int64, without percent: Int64?) -> Int64? {
        guard let percent, percent < whole else { return nil }
        let taken =
            (2 * Int128(quantity) * Int128(percent) + Int128(whole) - 1) / (2 * Int128(whole))
        return max(1, quantity.subtractingSaturating(Int64(clamping: taken)))
    }
}
