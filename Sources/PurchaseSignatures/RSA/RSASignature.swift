/// Verifies RSASSA-PKCS1-v1_5 (RFC 8017, 8.2.2), not in constant time: all data is public.
enum RSASignature {
    /// The accepted sizes of a modulus, in bits.
    static let modulusBits = 2_048...4_096

    /// Builds the padded hash and compares it as a whole, so only one encoding is accepted.
    static func isValid(
        _ signature: [UInt8], ofHash hash: [UInt8], _ function: HashFunction,
        modulus: [UInt8], exponent: [UInt8]
    ) -> Bool {
        guard isAccepted(modulus: modulus, exponent: exponent), signature.count == modulus.count,
            signature.lexicographicallyPrecedes(modulus),
            let raised = MontgomeryPower.raise(signature, to: exponent, modulo: modulus)
        else { return false }
        return raised == padded(hash, function, width: modulus.count)
    }

    /// Whether a key is accepted: an odd modulus of an accepted size, and an odd exponent above 1
    /// of at most 32 bits.
    static func isAccepted(modulus: [UInt8], exponent: [UInt8]) -> Bool {
        guard let first = modulus.first, let last = modulus.last, let low = exponent.last else {
            return false
        }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        return modulusBits.contains(bits) && last & 1 == 1 && low & 1 == 1 && exponent != [1]
            && exponent.count <= 4 && exponent.first != 0
    }

    /// The padded hash: 0, 1, bytes of 255, 0, then the hash with its function (RFC 8017, 9.2).
    private static func padded(_ hash: [UInt8], _ function: HashFunction, width: Int) -> [UInt8] {
        let info = prefix(of: function) + hash
        let filling = [UInt8](repeating: 0xFF, count: max(8, width - info.count - 3))
        return [0, 1] + filling + [0] + info
    }

    private static func prefix(of function: HashFunction) -> [UInt8] {
        let identifier = function.identifier.encoded
        let size = function.byteCount
        let algorithm =
            [ASN1Tag.objectIdentifier, UInt8(identifier.count)] + identifier
            + [ASN1Tag.null, 0]
        return [ASN1Tag.sequence, UInt8(algorithm.count + 4 + size)]
            + [ASN1Tag.sequence, UInt8(algorithm.count)] + algorithm
            + [ASN1Tag.octetString, UInt8(size)]
    }
}
