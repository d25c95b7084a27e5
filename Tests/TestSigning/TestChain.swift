import PurchaseSignatures
import PurchaseSimulation

/// A root, an intermediate and a leaf with the tests' own keys, and signatures by the leaf.
package struct TestChain: Sendable {
    package var root: TestCertificate
    package var intermediate: TestCertificate
    package var leaf: TestCertificate
    /// The certificates from the leaf to the root, as a message contains them.
    package var certificates: [[UInt8]]

    /// The recipe that the chains share.
    private static func recipe(
        rootKey: TestKey, intermediateKey: TestKey, leafKey: TestKey,
        _ algorithm: SignatureAlgorithm, name: String
    ) -> TestChain {
        var root = TestCertificate(
            key: rootKey, subject: "\(name) root", issuer: "\(name) root")
        root.isAuthority = true
        root.keyUsage = 0x06
        var intermediate = TestCertificate(
            key: intermediateKey, subject: "\(name) intermediate", issuer: "\(name) root")
        intermediate.isAuthority = true
        intermediate.pathLength = 0
        intermediate.keyUsage = 0x06
        intermediate.others = [(TestCertificate.intermediateMarker, false, DERWriter.null)]
        var leaf = TestCertificate(
            key: leafKey, subject: "\(name) leaf", issuer: "\(name) intermediate")
        leaf.serial = 7
        leaf.isAuthority = false
        leaf.keyUsage = 0x80
        leaf.others = [(TestCertificate.leafMarker, false, DERWriter.null)]
        var chain = TestChain(
            root: root, intermediate: intermediate, leaf: leaf, certificates: [])
        chain.root.algorithm = algorithm
        chain.intermediate.algorithm = algorithm
        chain.leaf.algorithm = algorithm
        chain.certify()
        return chain
    }

    /// A chain for signed payloads like Apple's: P-384 with SHA-384 above a P-256 key.
    package static let payload = recipe(
        rootKey: .p384(seed: "root"), intermediateKey: .p384(seed: "intermediate"),
        leafKey: .p256(seed: "leaf"), .ecdsaSHA384, name: "Payload")

    /// A chain for receipts: RSA with SHA-256.
    package static let receipt = recipe(
        rootKey: .rsa(0), intermediateKey: .rsa(1), leafKey: .rsa(2), .rsaSHA256, name: "Receipt")

    /// Makes the certificates again, after a change of a recipe.
    package mutating func certify() {
        certificates = [
            leaf.signed(by: intermediate.key), intermediate.signed(by: root.key),
            root.signed(by: root.key),
        ]
    }

    /// The chain with changed recipes.
    package func with(_ change: (inout TestChain) -> Void) -> TestChain {
        var chain = self
        change(&chain)
        chain.certify()
        return chain
    }

    /// The root, as the only trusted one.
    package var roots: TrustedRoots {
        get throws(SignatureProblem) {
            try TrustedRoots(certificates: [root.signed(by: root.key)])
        }
    }

    /// The root as a file in PEM.
    package var rootPEM: [UInt8] { PEM.text(root.signed(by: root.key)) }

    /// A JSON payload, signed by the leaf.
    package func jws(_ payload: String, header: String? = nil) -> String {
        let header = header ?? self.header()
        let input = "\(TestChain.base64URL(header.utf8)).\(TestChain.base64URL(payload.utf8))"
        let signature = leaf.key.signature(of: Array(input.utf8), .ecdsaSHA256)
        return "\(input).\(TestChain.base64URL(signature))"
    }

    /// The header with the certificates, by default for ES256.
    package func header(algorithm: String = "ES256") -> String {
        let list = certificates.map { "\"\(String(decoding: Base64.encode($0), as: UTF8.self))\"" }
        return "{\"alg\":\"\(algorithm)\",\"x5c\":[\(list.joined(separator: ","))]}"
    }

    /// Base64url without padding.
    package static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Base64.encodeURL(Array(bytes)), as: UTF8.self)
    }
}
