import PurchaseEvents

/// Verifies signed payloads of the App Store: the signature and the certificates up to a trusted
/// root.
///
/// A verifier remembers valid chains, and checks only the dates of their certificates for each
/// further payload. Many threads may use a verifier at once. A verifier doesn't use the network, so
/// it can't detect revoked certificates.
public final class JWSVerifier: Sendable {
    private let roots: TrustedRoots
    private let verifier: any SignatureVerifier
    private let cache = ChainCache()

    /// Creates a verifier that trusts the roots.
    public init(
        roots: TrustedRoots = .apple, verifier: any SignatureVerifier = SignatureVerifiers.standard
    ) {
        self.roots = roots
        self.verifier = verifier
    }

    /// The number of chains verified so far, without cached ones.
    package var chainsVerified: Int { cache.misses }

    /// Verifies that the App Store signed a payload, with certificates that were valid at an
    /// instant.
    ///
    /// The instant is the payload's `signedDate`, or the `receiptCreationDate` of an app
    /// transaction. Costs one signature verification, and two more for a new chain.
    public func verify(_ jws: JWS, at instant: Timestamp) -> SignatureOutcome {
        do throws(SignatureProblem) {
            let signature = try jws.signature()
            let chain = try self.chain(of: jws)
            if let problem = chain.dateProblem(at: instant) { throw problem }
            guard signature.count == 64 else {
                throw SignatureProblem(
                    .signature, "the signature has \(signature.count) bytes, expected 64")
            }
            let holds = jws.signingInput.withUnsafeBytes { message in
                chain.leaf.key.map {
                    verifier.isValid(signature, of: message, under: $0, .ecdsaSHA256)
                }
            }
            guard holds == true else {
                throw SignatureProblem(
                    .signature, "the signature doesn't hold under the key of the leaf")
            }
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    /// The chain of a payload, valid except perhaps for its dates.
    private func chain(of jws: JWS) throws(SignatureProblem) -> CertificateChain {
        let text = Array(jws.headerText)
        if let known = cache.chain(of: text) { return known }
        let header = try jws.header()
        guard header.algorithm == "ES256" else {
            throw SignatureProblem(
                .algorithm, "`alg` is \(JWSVerifier.words(header.algorithm)), expected `ES256`")
        }
        guard let bytes = header.certificates else {
            throw SignatureProblem(
                .certificates, "the header has no `x5c`, expected three certificates")
        }
        guard bytes.count == 3 else {
            throw SignatureProblem(
                .certificates, "`x5c` has \(bytes.count) certificates, expected three")
        }
        var certificates: [Certificate] = []
        for (name, bytes) in zip(["leaf", "intermediate", "root"], bytes) {
            do throws(EncodingProblem) {
                certificates.append(try Certificate(bytes))
            } catch {
                throw SignatureProblem(.certificates, "the \(name) is not a certificate: \(error)")
            }
        }
        let chain = CertificateChain(
            leaf: certificates[0], intermediate: certificates[1], root: certificates[2])
        let kind = roots.payloadKind
        if let problem = roots.problem(of: chain.root, kind) ?? chain.problem(kind, verifier) {
            throw problem
        }
        cache.keep(chain, of: text)
        return chain
    }

    /// The name of an algorithm for a message; omits long or unusual names.
    private static func words(_ algorithm: String?) -> String {
        guard let algorithm else { return "missing" }
        let isPlain =
            algorithm.utf8.count <= 16
            && algorithm.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
            }
        return isPlain ? "`\(algorithm)`" : "not an algorithm name"
    }
}
