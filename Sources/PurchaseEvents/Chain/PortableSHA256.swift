/// The hash function SHA-256 (FIPS 180-4) in plain Swift, fed in pieces; copies are independent.
struct PortableSHA256: Sendable {
    static let blockSize = 64

    var state = PortableSHA256.initial
    /// The bytes that don't fill a block yet.
    private var pending = SIMD64<UInt8>()
    /// The number of bytes hashed, including the pending ones.
    private var length: UInt64 = 0

    init() {}

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        var held = Int(truncatingIfNeeded: length & 63)
        length &+= UInt64(bytes.count)
        var offset = 0
        if held > 0 {
            offset = min(PortableSHA256.blockSize - held, bytes.count)
            keep(UnsafeRawBufferPointer(rebasing: bytes[..<offset]), at: held)
            held += offset
            guard held == PortableSHA256.blockSize else { return }
            compressPending()
        }
        let blocks = (bytes.count - offset) / PortableSHA256.blockSize
        if blocks > 0 { PortableSHA256.compress(base + offset, blocks, into: &state) }
        offset += blocks * PortableSHA256.blockSize
        if offset < bytes.count { keep(UnsafeRawBufferPointer(rebasing: bytes[offset...]), at: 0) }
    }

    func finish() -> Digest {
        var last = self
        let held = Int(truncatingIfNeeded: length & 63)
        // Pad with a one bit, zeros, and the length in bits in the last eight bytes.
        last.clearPending(from: held)
        last.pending[held] = 0x80
        if held >= PortableSHA256.blockSize - 8 {
            last.compressPending()
            last.clearPending(from: 0)
        }
        let bits = (length &* 8).bigEndian
        withUnsafeBytes(of: bits) { last.keep($0, at: PortableSHA256.blockSize - 8) }
        last.compressPending()
        return Digest(words: last.state)
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        withUnsafeMutableBytes(of: &pending) { pending in
            UnsafeMutableRawBufferPointer(rebasing: pending[place...]).copyMemory(from: bytes)
        }
    }

    private mutating func clearPending(from place: Int) {
        withUnsafeMutableBytes(of: &pending) { pending in
            for index in place..<PortableSHA256.blockSize { pending[index] = 0 }
        }
    }

    private mutating func compressPending() {
        let block = pending
        withUnsafeBytes(of: block) { bytes in
            guard let base = bytes.baseAddress else { return }
            PortableSHA256.compress(base, 1, into: &state)
        }
    }

    // MARK: Blocks

    /// Hashes whole blocks into the state.
    ///
    /// The schedule is sixteen words on the stack, reused for every sixteen rounds. The eight words
    /// of the state are variables that rotate their roles, so that no round moves them.
    private static func compress(
        _ start: UnsafeRawPointer, _ blocks: Int, into state: inout SIMD8<UInt32>
    ) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { buffer in
            guard let words = buffer.baseAddress else { return }
            roundConstants.withUnsafeBufferPointer { constants in
                guard let constants = constants.baseAddress else { return }
                for block in 0..<blocks {
                    load(start + block &* blockSize, into: words)
                    compress(words, constants, into: &state)
                }
            }
        }
    }

    @inline(__always)
    static func load(_ block: UnsafeRawPointer, into words: UnsafeMutablePointer<UInt32>) {
        for index in 0..<16 {
            words[index] = UInt32(
                bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
    }

    @inline(__always)
    private static func compress(
        _ words: UnsafeMutablePointer<UInt32>, _ constants: UnsafePointer<UInt32>,
        into state: inout SIMD8<UInt32>
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var first = 0
        while true {
            for half in 0..<2 {
                let at = half &* 8, k = constants + (first &+ at), w = words + at
                round(a, b, c, &d, e, f, g, &h, k[0] &+ w[0])
                round(h, a, b, &c, d, e, f, &g, k[1] &+ w[1])
                round(g, h, a, &b, c, d, e, &f, k[2] &+ w[2])
                round(f, g, h, &a, b, c, d, &e, k[3] &+ w[3])
                round(e, f, g, &h, a, b, c, &d, k[4] &+ w[4])
                round(d, e, f, &g, h, a, b, &c, k[5] &+ w[5])
                round(c, d, e, &f, g, h, a, &b, k[6] &+ w[6])
                round(b, c, d, &e, f, g, h, &a, k[7] &+ w[7])
            }
            first &+= 16
            if first == 64 { break }
            for index in 0..<16 { extend(words, index) }
        }
        state &+= SIMD8(a, b, c, d, e, f, g, h)
    }

    /// One round; the two changed words stay in their variables.
    @inline(__always)
    static func round(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32,
        _ g: UInt32, _ h: inout UInt32, _ word: UInt32
    ) {
        let choice = g ^ (e & (f ^ g))
        let majority = (a & b) | (c & (a | b))
        let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ word
        d = d &+ first
        h = first &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
    }

    /// Replaces a word of the schedule with the one for sixteen rounds later.
    @inline(__always)
    static func extend(_ words: UnsafeMutablePointer<UInt32>, _ index: Int) {
        let early = words[(index &+ 1) & 15], late = words[(index &+ 14) & 15]
        let mixedEarly = rotated(early, 7) ^ rotated(early, 18) ^ early &>> 3
        let mixedLate = rotated(late, 17) ^ rotated(late, 19) ^ late &>> 10
        words[index] = words[index] &+ mixedEarly &+ words[(index &+ 9) & 15] &+ mixedLate
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word &>> count | word &<< (32 &- count)
    }

    private static let initial = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
        0x1f83_d9ab, 0x5be0_cd19)

    static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
        0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
        0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
        0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
        0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
        0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
        0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
        0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
