import PurchaseEvents

/// The registers of a transaction's billing plan and commitment.
///
/// Kept apart from ``StatedVersions``, because few transactions have them.
struct TermRegisters: Sendable {
    private var plan = Register<BillingPlan>()
    private var number = Register<Int64>(), of = Register<Int64>(), price = Register<Int64>()
    private var until = Register<Timestamp>()

    var values: BillingTerms {
        BillingTerms(
            plan: plan.value, number: number.value, of: of.value, until: until.value,
            price: price.value)
    }

    /// Takes each stated value if its version is the greatest so far.
    mutating func assign(_ terms: BillingTerms, _ version: VersionID, _ versions: inout Versions) {
        plan.assign(terms.plan, version, &versions)
        number.assign(terms.number, version, &versions)
        of.assign(terms.of, version, &versions)
        until.assign(terms.until, version, &versions)
        price.assign(terms.price, version, &versions)
    }

    /// Forgets the values that test statements gave (G9.3).
    mutating func eraseTests(_ versions: inout Versions) {
        plan.eraseTest(&versions)
        number.eraseTest(&versions)
        of.eraseTest(&versions)
        until.eraseTest(&versions)
        price.eraseTest(&versions)
    }
}
