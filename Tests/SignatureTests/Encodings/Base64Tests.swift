import Foundation
import PurchaseSignatures
import TestSigning
import TestSupport
import Testing

/// Base64 and base64url: one text for each sequence of bytes.
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `the vectors of RFC 4648`(_ text: String, _ expected: String) {
        #expect(Base64.encode(Array(text.utf8)) == Array(expected.utf8))
    }

    private func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func `what is encoded is decoded`() throws {
        var dice = Dice(seed: 64)
        for count in 0..<200 {
            let content = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            #expect(try Base64.decodeURL(bytes(TestChain.base64URL(content))) == content)
            let text = Data(content).base64EncodedString()
            #expect(try Base64.decode(bytes(text)) == content)
            let lines = Data(content).base64EncodedString(options: .lineLength64Characters)
            #expect(try Base64.decode(bytes(" \(lines)\n"), skippingSpaces: true) == content)
            #expect((try? Base64.decode(bytes("\(text)\n"))) == nil)
        }
    }

    @Test(arguments: [
        ("A", 1), ("AAAAA", 5), ("AB", 2), ("AAB", 3), ("AA==", 2), ("AA\n", 2), ("+A", 0),
        ("A/", 1),
        ("AAA.", 3), ("AA A", 2),
    ])
    func `base64url that isn't strict is refused at its place`(text: String, offset: Int) {
        #expect { try Base64.decodeURL(bytes(text)) } throws: {
            ($0 as? EncodingProblem)?.offset == offset
        }
    }

    @Test(arguments: [
        "A", "A=", "A===", "AA", "AA=", "AA===", "AAA", "AAAA=", "=", "====", "-A==", "AB==",
    ])
    func `base64 with wrong padding or digits is refused`(text: String) {
        #expect(throws: EncodingProblem.self) { try Base64.decode(bytes(text)) }
        #expect(throws: EncodingProblem.self) {
            try Base64.decode(bytes(text), skippingSpaces: true)
        }
    }
}
