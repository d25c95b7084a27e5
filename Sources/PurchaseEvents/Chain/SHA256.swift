#if canImport(CryptoKit)
    import CryptoKit
#endif

/// The hash function SHA-256 (FIPS 180-4), fed in pieces; the system's own if there is one.
package struct SHA256 {
    #if canImport(CryptoKit)
        private var hash = CryptoKit.SHA256()
    #else
        private var hash = PortableSHA256()
    #endif

    package init() {}

    @inline(__always)
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        #if canImport(CryptoKit)
            hash.update(bufferPointer: bytes)
        #else
            hash.update(bytes)
        #endif
    }

    /// The hash of all bytes added so far; more may follow.
    @inline(__always)
    package func finish() -> Digest {
        #if canImport(CryptoKit)
            var words = SIMD8<UInt32>()
            for (index, byte) in hash.finalize().enumerated() {
                words[index / 4] = words[index / 4] << 8 | UInt32(byte)
            }
            return Digest(words: words)
        #else
            return hash.finish()
        #endif
    }

    package static func hash(_ message: [UInt8]) -> Digest {
        var hash = SHA256()
        message.withUnsafeBytes { hash.update($0) }
        return hash.finish()
    }

    /// The first half of the hash as 32 lower-case hex digits; 128 bits are enough to tell contents
    /// apart.
    package static func shortHex(_ message: [UInt8]) -> String {
        String(hash(message).hex.prefix(32))
    }
}
