import Foundation
import Testing

@testable import PurchaseEvents

/// The path of the SHAVS file `SHA256LongMsg.rsp`, from `SHAVS_LONG`.
private let longMessages = ProcessInfo.processInfo.environment["SHAVS_LONG"]

struct SHA256Tests {
    /// Published answers: the byte-oriented vectors of NIST's Secure Hash Algorithm Validation
    /// System (SHAVS). Each short message of 0 to 64 bytes with its hash, the seed of the
    /// pseudorandom messages, and the hash after every thousand of them.
    private static func published() throws -> [[Substring]] {
        let file = Folders.root.appending(path: "Tests/PurchaseEventsTests/Chain/SHAVS.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n").map {
            $0.split(separator: "\n")
        }
    }

    private func hash(_ bytes: [UInt8]) -> Digest {
        var hash = PortableSHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    private func bytes(_ hex: Substring) -> [UInt8] {
        let digits = Array(hex.utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test func `the short messages of SHAVS`() throws {
        let lines = try SHA256Tests.published()[0]
        #expect(lines.count == 65)
        for (length, line) in lines.enumerated() {
            let parts = line.split(separator: " ")
            let message = parts[0] == "-" ? [] : bytes(parts[0])
            #expect(message.count == length)
            #expect(hash(message).hex == parts[1])
        }
    }

    @Test(.enabled(if: longMessages != nil, "`SHAVS_LONG` names no file"))
    func `the long messages of SHAVS`() throws {
        let text = try String(contentsOfFile: try #require(longMessages), encoding: .utf8)
        let messages = text.matches(of: /Msg = ([0-9a-f]+)\s+MD = ([0-9a-f]+)/)
        #expect(messages.count == 64)
        for message in messages {
            #expect(hash(bytes(message.output.1)).hex == message.output.2)
        }
    }

    @Test func `the first ten thousand pseudorandom messages of SHAVS`() throws {
        let published = try SHA256Tests.published()
        var seed = try #require(Digest(hex: String(published[1][0])))
        #expect(published[2].count == 10)
        for expected in published[2] {
            var last = [seed, seed, seed]
            for _ in 0..<1_000 {
                var next = PortableSHA256()
                for digest in last { digest.withBytes { next.update($0) } }
                last = [last[1], last[2], next.finish()]
            }
            seed = last[2]
            #expect(seed.hex == expected)
        }
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnop"
                + "jklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ])
    func `the examples of the standard`(_ text: String, _ expected: String) {
        #expect(hash(Array(text.utf8)).hex == expected)
        #expect(SHA256.hash(Array(text.utf8)).hex == expected)
        #expect(SHA256.shortHex(Array(text.utf8)) == expected.prefix(32))
    }

    @Test func `a million letters, in pieces of many sizes`() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000)
        var hash = PortableSHA256()
        var (left, size) = (1_000_000, 1)
        while left > 0 {
            let count = min(left, size)
            letters[..<count].withUnsafeBytes { hash.update($0) }
            left -= count
            size = size % 991 + 7
        }
        #expect(
            hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test func `a message hashed in two pieces has the same hash, wherever it is cut`() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        // Hash everything after the cut with a copy of the hash before it.
        var befores: [PortableSHA256] = [PortableSHA256()]
        for byte in message {
            var next = befores[befores.count - 1]
            withUnsafeBytes(of: byte) { next.update($0) }
            befores.append(next)
        }
        for length in 0...300 {
            let whole = hash(Array(message[..<length]))
            for cut in 0...length {
                var hash = befores[cut]
                message[cut..<length].withUnsafeBytes { hash.update($0) }
                #expect(hash.finish() == whole, "\(length) bytes cut at \(cut)")
            }
        }
    }

    @Test func `a digest is 64 lower-case hex digits`() {
        let digest = SHA256.hash([1])
        #expect(Digest(hex: digest.hex) == digest)
        #expect(digest.bytes.count == 32)
        #expect("\(digest)" == digest.hex)
        #expect(Digest.zero.hex == String(repeating: "0", count: 64))
        for wrong in ["", String(digest.hex.dropLast()), digest.hex + "0"] {
            #expect(Digest(hex: wrong) == nil)
        }
        for place in 0..<64 {
            for letter in ["A", "g", "/", ":", "`", " "] {
                var digits = Array(digest.hex).map(String.init)
                digits[place] = letter
                #expect(Digest(hex: digits.joined()) == nil)
            }
        }
    }
}
