import PurchaseSignatures
import TestSigning
import Testing

/// The hash functions against the published examples of FIPS 180-4.
struct HashTests {
    private static let longer = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    private static let longest =
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu"

    @Test(arguments: [
        (HashFunction.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha1, longer, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (
            .sha256, "abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        ),
        (
            .sha384, "",
            "38b060a751ac96384cd9327eb1b1e36a21fdb71114be0743"
                + "4c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b"
        ),
        (
            .sha384, "abc",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded163"
                + "1a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
        ),
        (
            .sha384, longest,
            "09330c33f71147e83d192fc782cd1b4753111b173b3b05d2"
                + "2fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"
        ),
    ])
    func `an example has its hash`(_ function: HashFunction, _ text: String, _ hash: String) {
        #expect(TestHex.text(function.hash(Array(text.utf8)[...])) == hash)
    }

    @Test(arguments: [
        (HashFunction.sha1, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (.sha256, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        (
            .sha384,
            "9d0e1809716474cb086e834e310a4a1ced149e9c00f24852"
                + "7972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985"
        ),
    ])
    func `a million letters have their hash`(_ function: HashFunction, _ hash: String) {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(TestHex.text(function.hash(letters[...])) == hash)
    }

    @Test func `a message of any length up to three blocks fills its blocks alike`() {
        // Each length pads differently; equal hashes of two lengths would mean that a length or a
        // byte isn't hashed.
        for function in HashFunction.allCases {
            let hashes = (0...384).map { function.hash([UInt8](repeating: 0, count: $0)[...]) }
            #expect(Set(hashes).count == 385)
            #expect(hashes.allSatisfy { $0.count == function.byteCount })
        }
    }
}
