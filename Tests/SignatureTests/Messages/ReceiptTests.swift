import Foundation
import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// Receipts signed by the tests, each with one error.
struct ReceiptTests {
    private static let attributes: [(type: Int64, value: [UInt8])] = [
        (0, DERWriter.text("Production")), (2, DERWriter.text("com.example.app")),
        (12, DERWriter.ascii("2026-06-01T12:00:00Z")),
    ]
    private static let plain = TestReceipt(attributes: attributes)

    private func outcome(
        _ bytes: [UInt8], at instant: Timestamp = TestTimes.noon
    ) throws -> SignatureOutcome {
        try SignedMessage(bytes).verify(roots: try TestChain.receipt.roots, at: instant)
    }

    @Test func `a receipt is valid with and without signed attributes, with SHA-256 and SHA-1`()
        throws
    {
        for digest in [HashFunction.sha256, .sha1] {
            for hasSignedAttributes in [false, true] {
                var receipt = ReceiptTests.plain
                receipt.digest = digest
                receipt.hasSignedAttributes = hasSignedAttributes
                #expect(try outcome(receipt.bytes) == .valid)
                #expect(try SignedMessage(receipt.bytes).reader.bytes == receipt.content)
            }
        }
    }

    @Test func `a receipt without its root is valid where the root is given`() throws {
        var receipt = ReceiptTests.plain
        receipt.chain.certificates.removeLast()
        #expect(try outcome(receipt.bytes) == .valid)
        expect(
            try SignedMessage(receipt.bytes).verify(roots: .apple, at: TestTimes.noon),
            failsAt: .root)
    }

    @Test func `a receipt of one's own root isn't Apple's`() throws {
        let message = try SignedMessage(ReceiptTests.plain.bytes)
        expect(message.verify(roots: .apple, at: TestTimes.noon), failsAt: .root)
        let other = try TestChain.payload.roots
        expect(message.verify(roots: other, at: TestTimes.noon), failsAt: .root)
        #expect(!message.isXcode)
    }

    @Test func `a digest that isn't the content's is told`() throws {
        var receipt = ReceiptTests.plain
        receipt.hasSignedAttributes = true
        receipt.statedDigest = [UInt8](repeating: 7, count: 32)
        expect(try outcome(receipt.bytes), failsAt: .digest)
        // The attributes are signed, but the content was changed.
        receipt.statedDigest = nil
        let bytes = receipt.bytes
        let place = try #require(bytes.firstRange(of: Array("com.example.app".utf8)))
        var changed = bytes
        changed[place.lowerBound] ^= 1
        expect(try outcome(changed), failsAt: .digest)
    }

    @Test func `content that was changed breaks the signature`() throws {
        let bytes = ReceiptTests.plain.bytes
        let place = try #require(bytes.firstRange(of: Array("com.example.app".utf8)))
        var changed = bytes
        changed[place.lowerBound] ^= 1
        expect(try outcome(changed), failsAt: .signature)
    }

    @Test func `two signers, and none, are refused`() throws {
        for (signers, words) in [(0, "0 signers"), (2, "2 signers")] {
            var receipt = ReceiptTests.plain
            receipt.signers = signers
            expect(try outcome(receipt.bytes), failsAt: .signer, saying: words)
            #expect(try SignedMessage(receipt.bytes).reader.bytes == receipt.content)
        }
    }

    @Test func `a detached receipt, and one with something behind it, is an error with its place`()
    {
        var receipt = ReceiptTests.plain
        receipt.isDetached = true
        #expect { try SignedMessage(receipt.bytes) } throws: {
            ($0 as? EncodingProblem)?.message.contains("detached") == true
        }
        let whole = ReceiptTests.plain.bytes
        #expect { try SignedMessage(whole + [0]) } throws: {
            ($0 as? EncodingProblem)?.offset == whole.count
        }
        for count in [0, 1, 2, 20, whole.count - 1] {
            #expect { try SignedMessage(Array(whole[..<count])) } throws: {
                ($0 as? EncodingProblem).map { $0.offset <= count } ?? false
            }
        }
    }

    @Test func `certificates that are missing, doubled or strange are told`() throws {
        let all = TestChain.receipt.certificates
        for (certificates, step) in [
            ([], SignatureStep.certificates), ([all[0]], .certificates),
            ([all[0], all[2]], .certificates), ([all[1], all[2]], .certificates),
            (all + [all[2]], .certificates), ([all[0], all[1], all[1]], .root),
        ] {
            var receipt = ReceiptTests.plain
            receipt.chain.certificates = certificates
            expect(try outcome(receipt.bytes), failsAt: step)
        }
        var shuffled = ReceiptTests.plain
        shuffled.chain.certificates = [all[2], all[0], all[1]]
        #expect(try outcome(shuffled.bytes) == .valid, "certificates come in any order")
    }

    @Test func `what is wrong with the chain is told by its step`() throws {
        let changes: [(SignatureStep, (inout TestChain) -> Void)] = [
            (.markers, { $0.leaf.others = [] }),
            (.markers, { $0.intermediate.others = [] }),
            (.authority, { $0.intermediate.isAuthority = false }),
            (
                .key,
                {
                    $0.leaf.algorithm = .rsaSHA1; $0.leaf.key = .p256(seed: "leaf")
                }
            ),
            (.dates, { $0.leaf.notAfter = TestTimes.noon.advanced(byMilliseconds: -1_000) }),
            (
                .dates,
                { $0.intermediate.notBefore = TestTimes.noon.advanced(byMilliseconds: 1_000) }
            ),
        ]
        for (step, change) in changes {
            var receipt = ReceiptTests.plain
            receipt.chain = TestChain.receipt.with(change)
            expect(try outcome(receipt.bytes), failsAt: step)
        }
    }

    @Test func `a receipt in pieces of indefinite length is read, wrapped once more too`() throws {
        let end: [UInt8] = [0, 0]
        let content = ReceiptTests.plain.content
        let half = content.count / 2
        func message(_ content: [UInt8]) -> [UInt8] {
            let data = DERWriter.identifier("1.2.840.113549.1.7.1")
            let field = [0xA0, 0x80] + content + end
            let info = [0x30, 0x80] + data + field + end
            let signed =
                [0x30, 0x80] + DERWriter.integer(1) + DERWriter.set([]) + info + DERWriter.set([])
                + end
            return [0x30, 0x80] + DERWriter.identifier("1.2.840.113549.1.7.2") + [0xA0, 0x80]
                + signed
                + end + end
        }
        let pieces =
            [0x24, 0x80] + DERWriter.octets(Array(content[..<half]))
            + DERWriter.octets(Array(content[half...])) + end
        for octets in [
            DERWriter.octets(content), pieces, DERWriter.octets(DERWriter.octets(content)),
        ] {
            let bytes = message(octets)
            let read = try SignedMessage(bytes)
            #expect(read.reader.bytes == content)
            expect(
                read.verify(roots: .apple, at: TestTimes.noon), failsAt: .signer,
                saying: "0 signers")
        }
    }
}
