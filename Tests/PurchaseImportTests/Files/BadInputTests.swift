import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Bad input: each kind gives its own error, and the rest of the file is imported (importing.md,
/// 6).
struct BadInputTests {
    private static let chain = TestChain.payload
    /// The self-signed roots of what the tests sign, made once.
    private static let roots = [chain.rootPEM, TestChain.receipt.rootPEM]
    private static let good = chain.jws(coins.json)

    struct Bad: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: @Sendable () -> String
        /// The first remark.
        var message: String
        /// The number of events in the good and the bad record.
        var events = 2

        init(
            _ description: String, _ message: String, events: Int = 2,
            _ text: @escaping @Sendable () -> String
        ) {
            testDescription = description
            self.message = message
            self.events = events
            self.text = text
        }
    }

    /// The parts of a good JWS; most bad ones differ in one place.
    private static let goodParts = chain.jws(march2026.json).split(separator: ".").map {
        String($0)
    }

    private static func parts(_ count: Int) -> String {
        (goodParts + ["AAAA"]).prefix(count).joined(separator: ".")
    }

    private static func flipped(_ part: Int) -> String {
        var bytes = goodParts.map { Array($0.utf8) }
        let place = bytes[part].count / 2
        bytes[part][place] = bytes[part][place] == 0x41 ? 0x42 : 0x41
        return bytes.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
    }

    /// The good JWS with another header, whose signature isn't checked.
    private static func below(header: String) -> String {
        ([TestChain.base64URL(header.utf8)] + goodParts.dropFirst()).joined(separator: ".")
    }

    private static func certificates(
        _ change: (inout [[UInt8]]) -> Void
    ) -> String {
        var changed = chain
        change(&changed.certificates)
        return below(header: changed.header())
    }

    /// The good JWS with a changed leaf.
    private static func leaf(_ change: (inout TestCertificate) -> Void) -> String {
        var leaf = chain.leaf
        change(&leaf)
        return certificates { $0[0] = leaf.signed(by: chain.intermediate.key) }
    }

    private static func signature(_ bytes: [UInt8]) -> String {
        parts(2) + "." + TestChain.base64URL(bytes)
    }

    static let all: [Bad] = [
        Bad("two parts", "the JWS has 2 parts") { parts(2) },
        Bad("four parts", "the JWS has 4 parts") { parts(4) },
        Bad("padding", "is not base64url without padding") { parts(3) + "==" },
        Bad("no algorithm", "invalid: algorithm: `alg` is `none`") {
            below(header: chain.header(algorithm: "none"))
        },
        Bad("HS256", "`alg` is `HS256`") { below(header: chain.header(algorithm: "HS256")) },
        Bad("ES384", "`alg` is `ES384`") { below(header: chain.header(algorithm: "ES384")) },
        Bad("no certificates", "the header has no `x5c`") { below(header: #"{"alg":"ES256"}"#) },
        Bad("one certificate", "`x5c` has 1 certificates") { certificates { $0.removeLast(2) } },
        Bad("four certificates", "`x5c` has 4 certificates") { certificates { $0.append($0[2]) } },
        Bad("a certificate cut short", "is not a certificate") {
            certificates { $0[0].removeLast(9) }
        },
        Bad("leaf and intermediate swapped", "the signature is invalid") {
            certificates { $0.swapAt(0, 1) }
        },
        Bad("another root", "invalid: root: ") {
            certificates { $0[2] = chain.root.signed(by: .p384(seed: "another")) }
        },
        Bad("no marker", "invalid: markers: ") { leaf { $0.others = [] } },
        Bad("expired", "invalid: dates: ") {
            leaf { $0.notAfter = Timestamp(milliseconds: 1_600_000_000_000) }
        },
        Bad("r and s zero", "invalid: signature: ") {
            signature([UInt8](repeating: 0, count: 64))
        },
        Bad("r and s too large", "invalid: signature: ") {
            signature([UInt8](repeating: 0xFF, count: 64))
        },
        Bad("a flipped bit in the header", "the signature is invalid") { flipped(0) },
        Bad("a flipped bit in the signature", "invalid: signature: ") { flipped(2) },
        Bad("no JSON", "the payload is invalid JSON") { chain.jws("{\"a\":") },
        Bad("a key twice", "duplicate key", events: 3) {
            chain.jws(march2026.json.dropLast() + #","quantity":1}"#)
        },
        Bad("a number as text", "expected a number, seen a string; converted", events: 3) {
            chain.jws(march2026.with(("price", "4990")).json)
        },
        Bad("a text as number", "expected a text, seen a number; converted", events: 3) {
            chain.jws(march2026.with(("transactionId", 22)).json)
        },
        Bad("nested 1,000 deep", "at most 128 nested values") {
            String(repeating: "{\"a\":", count: 1_000) + "1" + String(repeating: "}", count: 1_000)
        },
        Bad("another environment's word", "expected the environment Production", events: 3) {
            chain.jws(march2026.with(("environment", "Elsewhere")).json)
        },
        Bad("another root's receipt", "the receipt's signature is invalid", events: 3) {
            receipt { $0.chain.certificates[2] = $0.chain.root.signed(by: .rsa(1)) }
        },
        Bad("a receipt of another digest", "the receipt's signature is invalid: digest", events: 3)
        {
            receipt {
                $0.hasSignedAttributes = true
                $0.statedDigest = [UInt8](repeating: 7, count: 32)
            }
        },
        Bad("a receipt of two signers", "the receipt's signature is invalid", events: 3) {
            receipt { $0.signers = 2 }
        },
        Bad("a receipt of nobody", "the receipt's signature is invalid", events: 3) {
            receipt { $0.signers = 0 }
        },
        Bad("a receipt without its content", "invalid receipt") {
            receipt { $0.isDetached = true }
        },
        Bad("bytes behind a receipt", "invalid receipt") {
            base64(ReceiptSample.message().bytes + [0])
        },
    ]

    private static func receipt(_ change: (inout TestReceipt) -> Void) -> String {
        var receipt = ReceiptSample.message()
        change(&receipt)
        return base64(receipt.bytes)
    }

    private static func base64(_ bytes: [UInt8]) -> String { ReceiptSample.base64(bytes) }

    private func imported(_ texts: [String]) throws -> ImportResult {
        var options = ImportOptions()
        options.roots = try TrustedRoots(
            certificates: Self.roots)
        let files = texts.enumerated().map {
            ImportFile("\($0)", $1)
        }
        return AppStoreImporter().log(of: files, options: options)
    }

    @Test(arguments: all)
    func `bad input has its error, and the rest is imported`(bad: Bad) throws {
        let result = try imported([bad.text(), Self.good])
        #expect(result.rows.contains { $0.transaction == "c1" })
        #expect(result.events.count == bad.events, "\(result.text)")
        let first = try #require(result.remarks.first)
        #expect(first.message.contains(bad.message), "\(result.remarks)")
        #expect(first.place.file == "0" && first.place.line == 1)
        // Input that is read nevertheless causes no error.
        let isRead = first.message.hasSuffix("converted, here and later")
        #expect(result.isComplete == isRead)
    }

    @Test(.enabled(if: Effort.isWhole, "WHOLE_TESTS=1 reads 64 MiB"))
    func `a record of more than 64 MiB is left out, and the rest is imported`() throws {
        let long = "{\"a\":\"" + String(repeating: "a", count: RecordCutter.largestRecord + 1)
        let result = try imported(["\(Self.good)\n\(long)\"}\n\(Self.good)x\n"])
        #expect(result.remarks.first?.message.contains("at most 64 MiB") == true)
        #expect(result.remarks.first?.place.line == 2)
        #expect(result.rows.count == 1)
    }

    @Test(.enabled(if: Effort.isWhole, "WHOLE_TESTS=1 reads 8 MiB"))
    func `an array too large for memory is read element by element`() throws {
        let element = (["body": coins.json, "x": String(repeating: "a", count: 1_000)] as Payload)
            .json
        let count = RecordCutter.largestArray / element.utf8.count + 100
        let text = "[" + Array(repeating: element, count: count).joined(separator: ",\n")
        let whole = try importedUnverified(text + "]\n\(coins.with(("transactionId", "c9")).json)")
        #expect(whole.rows.map(\.transaction) == ["c1", "c9"])
        #expect(whole.tally.kinds == [.transaction: count + 1])
        let torn = try importedUnverified(text + ",\n7]")
        #expect(torn.tally.kinds == [.transaction: count])
        #expect(torn.remarks(.error).count == 1)
    }
}
