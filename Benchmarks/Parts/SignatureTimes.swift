import Foundation
import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation
import TestSigning

/// How many signatures a second one thread verifies and makes, with keys that are made for it.
struct SignatureTimes {
    private static let rounds = 5
    private static let instant = Timestamp(milliseconds: 1_780_315_200_000)

    /// Prints a line a kind: its name, a tab, and the median of several rounds.
    func print() throws {
        Swift.print("verification\tper second")
        let chain = TestChain.payload
        let roots = try chain.roots
        let texts = (0..<200).map { Array(chain.jws(SignatureTimes.payload($0)).utf8) }
        for verifier in SignatureVerifiers.all {
            let known = JWSVerifier(roots: roots, verifier: verifier)
            try row("\(verifier.name): payload, chain seen before", 2_000) { number in
                let jws = try JWS(texts[number % texts.count])
                return known.verify(jws, at: SignatureTimes.instant)
            }
            try row("\(verifier.name): payload, new chain", 200) { number in
                let new = JWSVerifier(roots: roots, verifier: verifier)
                let jws = try JWS(texts[number % texts.count])
                return new.verify(jws, at: SignatureTimes.instant)
            }
            let receipt = TestReceipt(content: [UInt8](repeating: 7, count: 4_000)).bytes
            let receiptRoots = try TestChain.receipt.roots
            try row("\(verifier.name): receipt", 200) { _ in
                try SignedMessage(receipt).verify(
                    roots: receiptRoots, at: SignatureTimes.instant, with: verifier)
            }
        }
        try sign()
    }

    /// Signs payloads of the same length with the simulator's authority.
    private func sign() throws {
        let authority = SigningAuthority(seed: 1, at: SignatureTimes.instant)
        let payloads = (0..<200).map(SignatureTimes.payload)
        try row("signing: payload", 2_000) { number in
            let text = authority.signed(payloads[number % payloads.count])
            return text.isEmpty
                ? .invalid(SignatureProblem(.form, "no text")) : .valid
        }
    }

    private func row(
        _ name: String, _ count: Int, _ verify: (Int) throws -> SignatureOutcome
    ) throws {
        var rates: [Double] = []
        for _ in 0..<SignatureTimes.rounds {
            let start = ContinuousClock.now
            for number in 0..<count {
                guard try verify(number).isValid else { return Swift.print("\(name)\tinvalid") }
            }
            rates.append(Double(count) / (start.duration(to: .now) / .seconds(1)))
        }
        Swift.print("\(name)\t\(Int(rates.sorted()[SignatureTimes.rounds / 2]))")
    }

    /// As long as an ordinary transaction.
    private static func payload(_ number: Int) -> String {
        """
        {"transactionId":"20000\(100_000 + number)","originalTransactionId":"20000100000",\
        "webOrderLineItemId":"20000100000","bundleId":"com.example.app",\
        "productId":"com.example.app.monthly","subscriptionGroupIdentifier":"20000001",\
        "purchaseDate":1780315100000,"originalPurchaseDate":1780315100000,\
        "expiresDate":1782907100000,"quantity":1,"type":"Auto-Renewable Subscription",\
        "inAppOwnershipType":"PURCHASED","signedDate":1780315200000,"environment":"Production",\
        "transactionReason":"RENEWAL","storefront":"USA","storefrontId":"143441","price":9990,\
        "currency":"USD","appTransactionId":"700000000000"}
        """
    }
}
