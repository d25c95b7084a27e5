/// The name of an algorithm in certificates and messages: an identifier and its parameters.
struct AlgorithmIdentifier: Hashable, Sendable {
    enum Parameters: Hashable, Sendable {
        case absent
        case null
        /// The identifier of a curve.
        case curve(ObjectIdentifier)
        case other
    }

    var identifier: ObjectIdentifier
    var parameters: Parameters

    init(_ reader: inout ASN1Reader) throws(EncodingProblem) {
        var inside = try reader.nextInside(ASN1Tag.sequence)
        identifier = try inside.nextIdentifier()
        switch inside.nextTag {
        case nil: parameters = .absent
        case ASN1Tag.null:
            try inside.nextNull()
            parameters = .null
        case ASN1Tag.objectIdentifier: parameters = .curve(try inside.nextIdentifier())
        case .some:
            _ = try inside.next()
            parameters = .other
        }
        try inside.finish()
    }

    static let rsaEncryption = ObjectIdentifier(1, 2, 840, 113_549, 1, 1, 1)
    static let sha1WithRSA = ObjectIdentifier(1, 2, 840, 113_549, 1, 1, 5)
    static let sha256WithRSA = ObjectIdentifier(1, 2, 840, 113_549, 1, 1, 11)
    static let ecdsaWithSHA256 = ObjectIdentifier(1, 2, 840, 10_045, 4, 3, 2)
    static let ecdsaWithSHA384 = ObjectIdentifier(1, 2, 840, 10_045, 4, 3, 3)
    static let ecPublicKey = ObjectIdentifier(1, 2, 840, 10_045, 2, 1)
    static let p256 = ObjectIdentifier(1, 2, 840, 10_045, 3, 1, 7)
    static let p384 = ObjectIdentifier(1, 3, 132, 0, 34)
}

extension SignatureAlgorithm {
    static func certificateAlgorithm(_ algorithm: AlgorithmIdentifier) -> SignatureAlgorithm? {
        switch (algorithm.identifier, algorithm.parameters) {
        case (AlgorithmIdentifier.ecdsaWithSHA256, .absent): .ecdsaSHA256
        case (AlgorithmIdentifier.ecdsaWithSHA384, .absent): .ecdsaSHA384
        case (AlgorithmIdentifier.sha1WithRSA, .null): .rsaSHA1
        case (AlgorithmIdentifier.sha256WithRSA, .null): .rsaSHA256
        default: nil
        }
    }
}

extension HashFunction {
    /// The digest function of a message, with NULL or no parameters; `nil` if unsupported.
    static func messageDigest(_ algorithm: AlgorithmIdentifier) -> HashFunction? {
        guard algorithm.parameters == .null || algorithm.parameters == .absent else { return nil }
        return allCases.first { $0.identifier == algorithm.identifier }
    }
}

extension PublicKey {
    /// Reads a SubjectPublicKeyInfo; returns `nil` for an unsupported kind of key.
    init?(_ reader: inout ASN1Reader) throws(EncodingProblem) {
        let start = reader.position
        var info = try reader.nextInside(ASN1Tag.sequence)
        let algorithm = try AlgorithmIdentifier(&info)
        let bits = try info.nextBitString()
        try info.finish()
        switch (algorithm.identifier, algorithm.parameters) {
        case (AlgorithmIdentifier.ecPublicKey, .curve(AlgorithmIdentifier.p256)):
            self = .p256(try PublicKey.point(bits, at: start) { AffinePoint<P256>($0) != nil })
        case (AlgorithmIdentifier.ecPublicKey, .curve(AlgorithmIdentifier.p384)):
            self = .p384(try PublicKey.point(bits, at: start) { AffinePoint<P384>($0) != nil })
        case (AlgorithmIdentifier.rsaEncryption, .null):
            var all = ASN1Reader(Array(bits), .der)
            do throws(EncodingProblem) {
                var numbers = try all.nextInside(ASN1Tag.sequence)
                self = .rsa(modulus: try numbers.nextNatural(), exponent: try numbers.nextNatural())
                try numbers.finish()
                try all.finish()
            } catch {
                throw EncodingProblem(bits.startIndex + error.offset, error.message)
            }
        default: return nil
        }
    }

    private static func point(
        _ bits: ArraySlice<UInt8>, at start: Int, _ isOnCurve: ([UInt8]) -> Bool
    ) throws(EncodingProblem) -> [UInt8] {
        let coordinates = Array(bits.dropFirst())
        guard bits.first == 4, isOnCurve(coordinates) else {
            throw EncodingProblem(start, "the key is not an uncompressed point of its curve")
        }
        return coordinates
    }
}
