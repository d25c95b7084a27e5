import PurchaseEvents

/// The shared secret that a version 1 notification must carry as its `password` (G7.2).
///
/// The time of a comparison doesn't depend on where the texts differ, and the description doesn't
/// reveal the secret.
public struct SharedSecret: Sendable, CustomStringConvertible {
    private let digest: Digest

    /// Creates a secret from bytes, without surrounding spaces and newlines.
    ///
    /// Returns `nil` if no bytes remain.
    public init?(_ bytes: some Sequence<UInt8>) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let secret = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !secret.isEmpty else { return nil }
        digest = SHA256.hash(Array(secret))
    }

    /// A description that doesn't reveal the secret.
    public var description: String { "a shared secret" }

    func check(_ password: String?) -> SecretCheck {
        let other = SHA256.hash(Array((password ?? "").utf8))
        let difference = digest.words ^ other.words
        var bits: UInt32 = 0
        for index in 0..<8 { bits |= difference[index] }
        return bits == 0 ? .right : .wrong
    }
}
