import Foundation
import PurchaseEvents
import PurchaseSimulation
import TestSupport
import Testing

/// The documents of the simulated App Store say what Apple's say (appstore.md, 1 and 2).
struct StoreDocumentTests {
    private typealias Document = [String: Any]

    @Test func `documents say what Apple's documents say`() throws {
        var reached: Set<String> = []
        for seed in 1...UInt64(Effort.of(whole: 16, part: 8)) {
            let store = SimulatedAppStore(choices: SeededChoices(seed: seed), deliveries: .clean)
            note(store.log, in: &reached)
            var transactions = try store.pages.flatMap { page in
                let page = try Signed.object(Data(page.json.utf8))
                return try (page["signedTransactions"] as? [String] ?? []).compactMap {
                    try Signed.payload($0)
                }
            }
            while let delivery = store.next() {
                let body = try Signed.object(Data(delivery.body.utf8))
                let data = try Signed.payload("signedPayload", of: body)?["data"] as? Document
                guard let data, let told = try Signed.payload("signedTransactionInfo", of: data)
                else { continue }
                transactions.append(told)
                if delivery.subtype == "AUTO_RENEW_ENABLED" {
                    let status = data["status"] as? Int ?? 2
                    #expect(![2, 5].contains(status), "\(seed): \(told)")
                }
                if let renewal = try Signed.payload("signedRenewalInfo", of: data) {
                    let names = [told, renewal].map { $0["appAccountToken"] as? String }
                    #expect(names[0] == names[1], "\(seed): \(told) \(renewal)")
                }
            }
            var dates: [String: Int] = [:]
            for transaction in transactions {
                #expect(problem(of: transaction, &dates) == nil, "\(seed): \(transaction)")
                reached.formUnion(
                    ["inAppOwnershipType", "offerDiscountType"].compactMap {
                        transaction[$0] as? String
                    })
            }
        }
        #expect(
            reached == [
                "slow clock", "bought anew", "PURCHASED", "FAMILY_SHARED", "ASSIGNED",
                "FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME",
            ])
    }

    /// Notes what a log reaches; no purchase in it is invalid.
    private func note(_ log: [Event<Written>], in reached: inout Set<String>) {
        for (event, next) in zip(log, log.dropFirst()) {
            switch (event.fact, next.fact) {
            case (.queuePurchased(let purchase), _) where event.at < purchase.purchasedAt:
                reached.insert("slow clock")
            case (.renewalTurnedOn(let line, _), .queuePurchased(let purchase))
            where purchase.original == line && purchase.payment != nil:
                reached.insert("bought anew")
            case (.deliveryValidated(let validated), _):
                #expect(validated.outcome != .invalid)
            case _: break
            }
        }
    }

    /// What is wrong with a transaction; `dates` are those of the originals seen so far.
    private func problem(of transaction: Document, _ dates: inout [String: Int]) -> String? {
        func text(_ key: String) -> String? { transaction[key] as? String }
        func number(_ key: String) -> Int { transaction[key] as? Int ?? -1 }
        let original = text("originalTransactionId") ?? "", date = number("originalPurchaseDate")
        guard dates.updateValue(date, forKey: original) ?? date == date else {
            return "another original date"
        }
        guard (text("appAccountToken") != nil) == (text("inAppOwnershipType") == "PURCHASED"),
            text("appTransactionId") != nil
        else { return "account" }
        guard
            text("transactionReason") == "RENEWAL"
                || number("purchaseDate") <= number("signedDate")
        else { return "signed before the purchase" }
        let type = number("offerType"), isPeriod = transaction["expiresDate"] != nil
        guard (text("offerIdentifier") != nil) == (type > 1),
            (text("offerPeriod") != nil) == (type > 0 && isPeriod)
        else { return "offer" }
        let expected =
            type < 0
            ? [nil]
            : !isPeriod
                ? ["ONE_TIME"]
                : number("price") == 0 ? ["FREE_TRIAL"] : ["PAY_AS_YOU_GO", "PAY_UP_FRONT"]
        return expected.contains(text("offerDiscountType")) ? nil : "discount"
    }
}
