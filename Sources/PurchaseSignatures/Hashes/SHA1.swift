/// The hash function SHA-1 (FIPS 180-4), only for receipts: attackers can make collisions.
enum SHA1 {
    static func hash(_ message: UnsafeRawBufferPointer) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        var words = [UInt32](repeating: 0, count: 80)
        HashBlocks.visit(message, size: 64, lengthBytes: 8) { block in
            for index in 0..<16 {
                words[index] = UInt32(
                    bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
            }
            for index in 16..<80 {
                words[index] = rotated(
                    words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
            }
            compress(words, into: &state)
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    private static func compress(_ words: [UInt32], into state: inout [UInt32]) {
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for round in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch round {
                case ..<20: (d ^ (b & (c ^ d)), 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: ((b & c) | (d & (b | c)), 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotated(a, 5) &+ mixed &+ e &+ constant &+ words[round]
            (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &<< count | word &>> (32 &- count)
    }
}
