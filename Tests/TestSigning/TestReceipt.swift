import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation

/// A receipt made and signed by a test: a CMS message around a SET of attributes.
package struct TestReceipt: Sendable {
    package var chain = TestChain.receipt
    package var content: [UInt8]
    /// SHA-256, or SHA-1 as in old receipts.
    package var digest = HashFunction.sha256
    /// Whether the signature covers attributes with the content's digest.
    package var hasSignedAttributes = false
    /// The digest in the signed attributes; `nil` means the content's own.
    package var statedDigest: [UInt8]?
    package var signers = 1
    /// Whether the leaf signs; signing takes long, and where nothing is verified zeros do.
    package var isSigned = true
    package var isDetached = false

    package init(content: [UInt8]) { self.content = content }

    /// Creates a receipt from attributes: each a type, and the value in its OCTET STRING.
    package init(attributes: [(type: Int64, value: [UInt8])]) {
        content = TestReceipt.set(attributes)
    }

    /// A SET of attributes, which is also the form of a purchase within a receipt.
    package static func set(_ attributes: [(type: Int64, value: [UInt8])]) -> [UInt8] {
        DERWriter.set(
            attributes.map {
                DERWriter.sequence(
                    DERWriter.integer($0.type), DERWriter.integer(1), DERWriter.octets($0.value))
            }
        )
    }

    /// The message in DER.
    package var bytes: [UInt8] {
        let field = isDetached ? [] : DERWriter.field(0, DERWriter.octets(content))
        let message = DERWriter.sequence(
            DERWriter.integer(1), DERWriter.set([digestIdentifier]),
            DERWriter.sequence(DERWriter.identifier("1.2.840.113549.1.7.1"), field),
            DERWriter.field(0, chain.certificates.flatMap { $0 }),
            DERWriter.element(0x31, (0..<signers).flatMap { _ in signer }))
        return DERWriter.sequence(
            DERWriter.identifier("1.2.840.113549.1.7.2"), DERWriter.field(0, message))
    }

    private var digestIdentifier: [UInt8] {
        let name = digest == .sha1 ? "1.3.14.3.2.26" : "2.16.840.1.101.3.4.2.1"
        return DERWriter.sequence(DERWriter.identifier(name), DERWriter.null)
    }

    private var signer: [UInt8] {
        let stated = statedDigest ?? digest.hash(content[...])
        let attributes = DERWriter.set([
            DERWriter.sequence(
                DERWriter.identifier("1.2.840.113549.1.9.3"),
                DERWriter.set([DERWriter.identifier("1.2.840.113549.1.7.1")])),
            DERWriter.sequence(
                DERWriter.identifier("1.2.840.113549.1.9.4"),
                DERWriter.set([DERWriter.octets(stated)])),
        ])
        let signed = hasSignedAttributes ? attributes : content
        let algorithm: SignatureAlgorithm = digest == .sha1 ? .rsaSHA1 : .rsaSHA256
        return DERWriter.sequence(
            DERWriter.integer(1),
            DERWriter.sequence(
                DERWriter.name(chain.leaf.issuer), DERWriter.integer(chain.leaf.serial)),
            digestIdentifier,
            hasSignedAttributes ? [0xA0] + attributes.dropFirst() : [],
            DERWriter.sequence(DERWriter.identifier("1.2.840.113549.1.1.1"), DERWriter.null),
            DERWriter.octets(
                isSigned
                    ? chain.leaf.key.signature(of: signed, algorithm)
                    : [UInt8](repeating: 0, count: 256)))
    }
}
