import PurchaseEvents

/// The secret under which names become pseudonyms: equal keys give equal pseudonyms.
///
/// Whoever has the key can check whether a pseudonym stands for a name, and can invert short
/// pseudonyms; without the key, neither is possible.
public struct RedactionKey: Sendable {
    /// The minimum length of a key in bytes.
    public static let leastLength = 16

    private static let blockLength = 64

    /// The hash functions after reading the two padded keys of HMAC (RFC 2104).
    private let inner: SHA256, outer: SHA256

    /// Creates a key; `nil` if it has fewer than ``leastLength`` bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        var key = Array(bytes)
        guard key.count >= RedactionKey.leastLength else { return nil }
        if key.count > RedactionKey.blockLength { key = SHA256.hash(key).bytes }
        key += [UInt8](repeating: 0, count: RedactionKey.blockLength - key.count)
        var (inner, outer) = (SHA256(), SHA256())
        key.map { $0 ^ 0x36 }.withUnsafeBytes { inner.update($0) }
        key.map { $0 ^ 0x5C }.withUnsafeBytes { outer.update($0) }
        (self.inner, self.outer) = (inner, outer)
    }

    /// The HMAC-SHA256 of a message.
    func authenticate(_ message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        message.withUnsafeBytes { inner.update($0) }
        inner.finish().bytes.withUnsafeBytes { outer.update($0) }
        return outer.finish().bytes
    }

    /// The word that replaces removed content: equal for equal content, and without the key nobody
    /// can tell what the content was.
    func digest(of content: [UInt8]) -> String {
        let hex = authenticate([4] + content).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "redacted-" + hex.joined()
    }

    /// Numbers derived from the key, a purpose and a message, each below its radix.
    func digits(_ purpose: [UInt8], _ message: [UInt8], below radices: [Int]) -> [Int] {
        var (digits, block, place) = ([Int](), [UInt8](), 0)
        digits.reserveCapacity(radices.count)
        for (index, radix) in radices.enumerated() {
            if place == block.count {
                block = authenticate(purpose + [UInt8(truncatingIfNeeded: index / 8)] + message)
                place = 0
            }
            // With 32 bits and a radix up to 192, probabilities differ by less than 1 in 10^7.
            let word = block[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            digits.append(word % radix)
            place += 4
        }
        return digits
    }
}
