#if canImport(CryptoKit) && canImport(Security)
    import CryptoKit
    import Foundation
    import Security

    /// Verifies signatures with CryptoKit, and RSA with Security.
    public struct PlatformVerifier: SignatureVerifier {
        /// The name of this verifier, `platform`.
        public let name = "platform"

        /// Creates a verifier, which has no state.
        public init() {}

        /// Whether a signature is valid; see ``SignatureVerifier``.
        public func isValid(
            _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
            _ algorithm: SignatureAlgorithm
        ) -> Bool {
            switch key {
            case .p256(let point):
                guard algorithm.isECDSA,
                    let key = try? CryptoKit.P256.Signing.PublicKey(rawRepresentation: point),
                    let signature = try? CryptoKit.P256.Signing.ECDSASignature(
                        rawRepresentation: signature)
                else { return false }
                return algorithm.hashFunction == .sha384
                    ? key.isValidSignature(signature, for: CryptoKit.SHA384.hash(data: message))
                    : key.isValidSignature(signature, for: CryptoKit.SHA256.hash(data: message))
            case .p384(let point):
                guard algorithm.isECDSA,
                    let key = try? CryptoKit.P384.Signing.PublicKey(rawRepresentation: point),
                    let signature = try? CryptoKit.P384.Signing.ECDSASignature(
                        rawRepresentation: signature)
                else { return false }
                return algorithm.hashFunction == .sha384
                    ? key.isValidSignature(signature, for: CryptoKit.SHA384.hash(data: message))
                    : key.isValidSignature(signature, for: CryptoKit.SHA256.hash(data: message))
            case .rsa(let modulus, let exponent):
                return !algorithm.isECDSA
                    && isValid(signature, of: message, modulus, exponent, algorithm)
            }
        }

        private func isValid(
            _ signature: [UInt8], of message: UnsafeRawBufferPointer, _ modulus: [UInt8],
            _ exponent: [UInt8], _ algorithm: SignatureAlgorithm
        ) -> Bool {
            guard RSASignature.isAccepted(modulus: modulus, exponent: exponent),
                signature.count == modulus.count
            else { return false }
            let numbers = DEREncoding.natural(modulus) + DEREncoding.natural(exponent)
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic,
            ]
            let data = Data(DEREncoding.element(ASN1Tag.sequence, numbers))
            guard
                let key = SecKeyCreateWithData(data as CFData, attributes as CFDictionary, nil)
            else { return false }
            return SecKeyVerifySignature(
                key,
                algorithm.hashFunction == .sha1
                    ? .rsaSignatureMessagePKCS1v15SHA1 : .rsaSignatureMessagePKCS1v15SHA256,
                Data(message) as CFData, Data(signature) as CFData, nil)
        }
    }

    extension DEREncoding {
        /// A non-negative INTEGER in DER, from a big-endian number without leading zeros.
        fileprivate static func natural(_ bytes: [UInt8]) -> [UInt8] {
            element(ASN1Tag.integer, (bytes.first ?? 0x80) >= 0x80 ? [0] + bytes : bytes)
        }
    }
#endif
