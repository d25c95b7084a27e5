import TestSupport
import Testing

@testable import PurchaseEvents

/// Names that are chosen without the key don't collide.
struct ByteHashTests {
    private static let keys = ([1, 2, 3, 4] as [UInt64]).map { seed in
        var dice = Dice(seed: seed)
        return HashKey(from: &dice)
    }

    private func hash(_ bytes: [UInt8], _ key: HashKey) -> UInt64 {
        bytes.withUnsafeBytes { ByteHash.hash($0, key.high) }
    }

    private func bytes(_ words: UInt64...) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    }

    @Test func `names that collided under the fixed seed of old do so no more`() {
        // The third word was equal to the state, which made the product 0 whatever followed.
        let names = (0..<20_000).map { number in
            Array("b29wzunk8ihadfwz#PbnSvYL".utf8) + bytes(UInt64(number))
        }
        // The second word is the constant of that hash, or the constant for a name's end.
        let constants: [UInt64] = [
            0xA409_3822_299F_31D0, 0x0452_821E_638D_0137, 0xBE54_66CF_34E9_0C6C,
        ]
        let cancelling = constants.flatMap { constant in
            (0..<100).map { bytes(0x4141_4141_4141_4141 + $0, constant) }
        }
        for key in ByteHashTests.keys {
            #expect(Set(names.map { hash($0, key) }).count == names.count)
            #expect(Set(cancelling.map { hash($0, key) }).count == cancelling.count)
        }
    }

    @Test func `a block chosen with the key doesn't cancel what came before`() {
        for key in ByteHashTests.keys {
            let names = (0..<100).map { bytes($0, 7, $0 % 10, key.high.word) }
            #expect(Set(names.map { hash($0, key) }).count == names.count)
        }
    }

    @Test func `a name hashes otherwise under another key, in both halves`() {
        let name = Array("be681e2e-1554-4dfd-88d1-c4c24fc84b26".utf8)
        let prints = ByteHashTests.keys.map { key in
            name.withUnsafeBytes { NameTable.fingerprint(of: $0, key) }
        }
        #expect(Set(prints.flatMap { [$0.high, $0.low] }).count == 2 * prints.count)
        let own = name.withUnsafeBytes { NameTable.fingerprint(of: $0) }
        #expect(!prints.contains(own))
    }

    @Test func `names of different lengths differ, also where their padded words are equal`() {
        for key in ByteHashTests.keys {
            let zeros = (0..<100).map { hash([UInt8](repeating: 0, count: $0), key) }
            #expect(Set(zeros).count == zeros.count)
        }
    }

    /// Each bit of a name changes each bit of the hash about half the time.
    @Test func `every bit of a name changes about half of the hash`() {
        var dice = Dice(seed: 11)
        for count in [1, 7, 8, 9, 15, 16, 17, 24, 32, 36, 100] {
            for key in ByteHashTests.keys {
                var flips = [Int](repeating: 0, count: 64)
                var trials = 0
                while trials < 1_000 {
                    var name = (0..<count).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
                    let before = hash(name, key)
                    for bit in 0..<count * 8 {
                        name[bit / 8] ^= 1 << (bit % 8)
                        let changed = before ^ hash(name, key)
                        name[bit / 8] ^= 1 << (bit % 8)
                        for place in 0..<64 where changed >> UInt64(place) & 1 != 0 {
                            flips[place] += 1
                        }
                        trials += 1
                    }
                }
                #expect(flips.allSatisfy { $0 * 5 > trials * 2 && $0 * 5 < trials * 3 })
            }
        }
    }
}
