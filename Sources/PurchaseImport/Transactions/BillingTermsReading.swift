import PurchaseEvents

extension BillingTerms {
    /// Reads the billing plan and the commitment of a signed transaction (appstore.md, 2.3).
    init(_ record: RecordReader) {
        self.init(
            plan: record.word(
                "billingPlanType", AppStoreWords.plans, "BILLED_UPFRONT or MONTHLY",
                orRemark: .note))
        guard let commitment = record.record("commitmentInfo") else { return }
        let counts = 1...Int64(Int32.max)
        number = commitment.integer("billingPeriodNumber", in: counts)
        of = commitment.integer("totalBillingPeriods", in: counts)
        until = commitment.date("commitmentExpiresDate")
        price = commitment.integer("commitmentPrice", in: 0...(1 << 53 - 1))
        commitment.remarkUnknownKeys(
            of: "commitment",
            known: [
                "billingPeriodNumber", "totalBillingPeriods", "commitmentExpiresDate",
                "commitmentPrice",
            ])
    }
}
