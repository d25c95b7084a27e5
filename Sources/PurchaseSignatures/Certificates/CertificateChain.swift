import PurchaseEvents

struct CertificateChain: Hashable, Sendable {
    var leaf: Certificate, intermediate: Certificate, root: Certificate

    enum Kind: Hashable, Sendable {
        /// For payloads below Apple's root: P-384 with SHA-384, and a P-256 leaf key.
        case payload
        /// For payloads below a given root: P-256 or P-384 with SHA-256 or SHA-384, and a P-256
        /// leaf key.
        case payloadBelowGivenRoot
        /// For receipts: RSA with SHA-1 or SHA-256.
        case receipt
    }

    private var all: [(name: String, certificate: Certificate)] {
        [("the leaf", leaf), ("the intermediate", intermediate), ("the root", root)]
    }

    /// The first failed step; the caller checks the dates, and that the root is trusted. Costs two
    /// signature verifications.
    func problem(_ kind: Kind, _ verifier: any SignatureVerifier) -> SignatureProblem? {
        issuerProblem ?? keyProblem(kind) ?? authorityProblem ?? extensionProblem
            ?? markerProblem ?? signatureProblem(verifier)
    }

    private var issuerProblem: SignatureProblem? {
        for (one, next) in [(0, 1), (1, 2)]
        where all[one].certificate.issuer != all[next].certificate.subject {
            return SignatureProblem(
                .issuer, "\(all[one].name) names an issuer other than \(all[next].name)")
        }
        return nil
    }

    private func keyProblem(_ kind: Kind) -> SignatureProblem? {
        for (index, (name, certificate)) in all.enumerated() {
            guard let key = certificate.key, kind.takes(key, isLeaf: index == 0) else {
                return SignatureProblem(
                    .key,
                    "\(name) has \(certificate.key?.words ?? "a key of another kind"), "
                        + "expected \(kind.keyWords(isLeaf: index == 0))")
            }
            // A trusted root's signature of itself proves nothing.
            guard index == 2 || certificate.algorithm.map(kind.takes) == true else {
                let seen = certificate.algorithm?.rawValue ?? "another algorithm"
                return SignatureProblem(
                    .key, "\(name) is signed with \(seen), expected \(kind.algorithmWords)")
            }
        }
        return nil
    }

    private var authorityProblem: SignatureProblem? {
        // For each issuer, the number of intermediates below it.
        for (index, below) in [(1, 0), (2, 1)] {
            let (name, certificate) = all[index]
            let extensions = certificate.extensions
            // A trusted root may be too old to have extensions.
            guard extensions.isAuthority ?? (index == 2) else {
                return SignatureProblem(.authority, "\(name) is not a certificate authority")
            }
            guard extensions.pathLength ?? below >= below else {
                return SignatureProblem(
                    .authority, "\(name) allows fewer certificates below it than there are")
            }
            guard extensions.allows(CertificateExtensions.certificateSigning) else {
                return SignatureProblem(
                    .authority, "the key of \(name) isn't for signing certificates")
            }
        }
        guard leaf.extensions.allows(CertificateExtensions.digitalSignature) else {
            return SignatureProblem(.authority, "the key of the leaf isn't for signing")
        }
        return nil
    }

    private var extensionProblem: SignatureProblem? {
        for (name, certificate) in all {
            if let identifier = certificate.extensions.unknownCritical {
                return SignatureProblem(
                    .extensions,
                    "\(name) has the critical extension \(identifier), which isn't understood")
            }
        }
        return nil
    }

    private var markerProblem: SignatureProblem? {
        for (index, marker) in [
            CertificateExtensions.leafMarker, CertificateExtensions.intermediateMarker,
        ].enumerated() where !all[index].certificate.extensions.markers.contains(marker) {
            return SignatureProblem(.markers, "\(all[index].name) lacks the extension \(marker)")
        }
        return nil
    }

    private func signatureProblem(_ verifier: any SignatureVerifier) -> SignatureProblem? {
        for (one, next) in [(1, 2), (0, 1)] {
            guard let key = all[next].certificate.key,
                all[one].certificate.isSigned(by: key, verifier)
            else {
                return SignatureProblem(
                    .chain,
                    "the signature on \(all[one].name) doesn't hold under the key of "
                        + all[next].name)
            }
        }
        return nil
    }

    func dateProblem(at instant: Timestamp) -> SignatureProblem? {
        for (name, certificate) in all where !certificate.isValid(at: instant) {
            return SignatureProblem(
                .dates,
                "\(name) is valid from \(certificate.notBefore.text) to "
                    + "\(certificate.notAfter.text), not at \(instant.text)")
        }
        return nil
    }
}

extension CertificateExtensions {
    fileprivate func allows(_ usage: UInt8) -> Bool { (keyUsage ?? usage) & usage != 0 }
}

extension CertificateChain.Kind {
    fileprivate func takes(_ key: PublicKey, isLeaf: Bool) -> Bool {
        switch (self, key) {
        case (.payload, .p256): isLeaf
        case (.payload, .p384): !isLeaf
        case (.payloadBelowGivenRoot, .p256): true
        case (.payloadBelowGivenRoot, .p384): !isLeaf
        case (.receipt, .rsa(let modulus, let exponent)):
            RSASignature.isAccepted(modulus: modulus, exponent: exponent)
        case (.payload, .rsa), (.payloadBelowGivenRoot, .rsa), (.receipt, .p256),
            (.receipt, .p384):
            false
        }
    }

    fileprivate func keyWords(isLeaf: Bool) -> String {
        switch self {
        case .payload: isLeaf ? "a P-256 key" : "a P-384 key"
        case .payloadBelowGivenRoot: isLeaf ? "a P-256 key" : "a P-256 or P-384 key"
        case .receipt: "an RSA key of 2048 to 4096 bits"
        }
    }

    fileprivate func takes(_ algorithm: SignatureAlgorithm) -> Bool {
        switch self {
        case .payload: algorithm == .ecdsaSHA384
        case .payloadBelowGivenRoot: algorithm.isECDSA
        case .receipt: !algorithm.isECDSA
        }
    }

    fileprivate var algorithmWords: String {
        switch self {
        case .payload: "ecdsaSHA384"
        case .payloadBelowGivenRoot: "ecdsaSHA256 or ecdsaSHA384"
        case .receipt: "rsaSHA1 or rsaSHA256"
        }
    }
}

extension PublicKey {
    fileprivate var words: String {
        switch self {
        case .p256: "a P-256 key"
        case .p384: "a P-384 key"
        case .rsa(let modulus, _): "an RSA key of \(modulus.count * 8) bits"
        }
    }
}
