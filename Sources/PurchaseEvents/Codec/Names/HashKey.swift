/// The secret key of hashes and fingerprints: without it, nobody can choose names that collide.
///
/// Each process draws its own key, so a hash or a ``Fingerprint`` means nothing to another process.
/// It outlives its own only in a snapshot, beside its key. Nothing printed depends on the key.
package struct HashKey: BitwiseCopyable, Sendable {
    /// The key of one 64-bit hash.
    struct Half: Sendable {
        /// The state before the first block, and the secret for the second word of each block.
        let state: UInt64, word: UInt64
    }

    /// The keys of the two halves of a fingerprint; tables use the first.
    let high: Half, low: Half

    /// A random odd number, for tables whose keys are numbers.
    package var multiplier: UInt64 { low.word | 1 }

    /// The key of this process: the only randomness that isn't an argument, like `Hasher`'s seed.
    package static let ofProcess: HashKey = {
        var generator = SystemRandomNumberGenerator()
        return HashKey(from: &generator)
    }()

    package init(from generator: inout some RandomNumberGenerator) {
        high = Half(state: generator.next(), word: generator.next())
        low = Half(state: generator.next(), word: generator.next())
    }
}
