import PurchaseEvents

/// The root certificates that a chain may end at.
public struct TrustedRoots: Sendable {
    private enum Trust: Sendable {
        case apple
        case given([Certificate])
    }

    private let trust: Trust

    /// Apple's roots, identified by SHA-256: Apple Root CA - G3 for signed payloads, Apple Root CA
    /// for receipts.
    ///
    /// Source: Apple PKI, https://www.apple.com/certificateauthority/.
    public static let apple = TrustedRoots(trust: .apple)

    private init(trust: Trust) { self.trust = trust }

    /// Trusts the certificates of files instead of Apple's roots.
    ///
    /// Each file is DER, or PEM with one or more certificates.
    ///
    /// - Throws: A problem of the step ``SignatureStep/root`` with the number of the file, counted
    ///   from 1, if a file isn't a certificate.
    public init(certificates files: [[UInt8]]) throws(SignatureProblem) {
        var roots: [Certificate] = []
        for (index, file) in files.enumerated() {
            do throws(EncodingProblem) {
                if let all = try PEM.certificates(in: file) {
                    for bytes in all { roots.append(try Certificate(bytes)) }
                } else {
                    roots.append(try Certificate(file))
                }
            } catch {
                throw SignatureProblem(
                    .root, "file \(index + 1) is not a certificate in DER or PEM: \(error)")
            }
        }
        trust = .given(roots)
    }

    /// The given roots; empty if Apple's roots are trusted.
    var given: [Certificate] { if case .given(let roots) = trust { roots } else { [] } }

    var payloadKind: CertificateChain.Kind {
        if case .given = trust { .payloadBelowGivenRoot } else { .payload }
    }

    func problem(of certificate: Certificate, _ kind: CertificateChain.Kind) -> SignatureProblem? {
        switch trust {
        case .given(let roots):
            guard !roots.contains(where: { $0.bytes == certificate.bytes }) else { return nil }
            return SignatureProblem(.root, "the root is not one of the \(roots.count) given roots")
        case .apple:
            let isReceipt = kind == .receipt
            let digest = SHA256.hash(certificate.bytes)
            guard digest != (isReceipt ? TrustedRoots.appleRoot : TrustedRoots.appleRootG3) else {
                return nil
            }
            let name = isReceipt ? "Apple Root CA" : "Apple Root CA - G3"
            return SignatureProblem(
                .root, "the SHA-256 of the root is \(digest.hex), expected that of \(name)")
        }
    }

    private static let appleRootG3 = Digest(
        hex: "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    private static let appleRoot = Digest(
        hex: "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024")
}
