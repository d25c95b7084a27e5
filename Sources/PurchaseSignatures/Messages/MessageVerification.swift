import PurchaseEvents

// The verification of messages up to trusted roots.
extension SignedMessage {
    /// Verifies that a certificate below a trusted root signed the message, with all certificates
    /// valid at an instant: the receipt's creation date.
    ///
    /// Only this verification accepts SHA-1. Every certificate in the message must belong to the
    /// signer's chain, and every field must have the value that the signature implies, so that no
    /// bit of a valid message can be changed.
    package func verify(
        roots: TrustedRoots, at instant: Timestamp,
        with verifier: any SignatureVerifier = SignatureVerifiers.standard
    ) -> SignatureOutcome {
        do throws(SignatureProblem) {
            let (signer, algorithm, function) = try onlySigner()
            let chain = try self.chain(of: signer, roots, verifier)
            if let problem = roots.problem(of: chain.root, .receipt)
                ?? chain.problem(.receipt, verifier) ?? chain.dateProblem(at: instant)
                ?? signer.attributeProblem(digestOfContent: function.hash(signedContent[...]))
            {
                throw problem
            }
            let holds = (signer.signedAttributes ?? signedContent).withUnsafeBytes { message in
                chain.leaf.key.map {
                    verifier.isValid(signer.signature, of: message, under: $0, algorithm)
                }
            }
            guard holds == true else {
                throw SignatureProblem(
                    .signature, "the signature doesn't hold under the key of the signer")
            }
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    /// Whether Xcode made the message: its only certificate is self-issued and named `StoreKit`.
    package var isXcode: Bool {
        guard certificates.count == 1, let only = try? Certificate(certificates[0]) else {
            return false
        }
        return only.issuer == only.subject && SignedMessage.names(only.subject, "StoreKit")
    }

    private static let commonName = ObjectIdentifier(2, 5, 4, 3)

    private static func names(_ name: [UInt8], _ text: String) -> Bool {
        var found: [[UInt8]] = []
        var all = ASN1Reader(name, .der)
        guard var parts = try? all.nextInside(ASN1Tag.sequence) else { return false }
        while !parts.isAtEnd {
            guard var set = try? parts.nextInside(ASN1Tag.set),
                var part = try? set.nextInside(ASN1Tag.sequence),
                let type = try? part.nextIdentifier(), let value = try? part.next()
            else { return false }
            if type == commonName { found.append(Array(part.bytes[value.content])) }
        }
        return found == [Array(text.utf8)]
    }

    /// The signer, if there is exactly one and each field has its only valid value.
    private func onlySigner() throws(SignatureProblem) -> (
        MessageSigner, SignatureAlgorithm, HashFunction
    ) {
        guard signers.count == 1 else {
            throw SignatureProblem(
                .signer, "the message has \(signers.count) signers, expected one")
        }
        let signer = signers[0]
        guard signer.issuer != nil, version == 1, signer.version == 1 else {
            throw SignatureProblem(
                .signer,
                "versions \(version) and \(signer.version) of message and signer, "
                    + "expected 1 and 1 with the signer's issuer and serial number")
        }
        guard !signer.hasUnsignedAttributes, !hasRevocations else {
            throw SignatureProblem(
                .signer, "the message has parts that no signature covers, expected none")
        }
        guard let algorithm = signer.signatureAlgorithm, let digest = signer.digest,
            digests == [digest]
        else {
            throw SignatureProblem(
                .algorithm, "the message names algorithms other than RSA with SHA-1 or SHA-256")
        }
        return (signer, algorithm, digest)
    }

    private func chain(
        of signer: MessageSigner, _ roots: TrustedRoots, _ verifier: any SignatureVerifier
    ) throws(SignatureProblem) -> CertificateChain {
        guard (2...3).contains(certificates.count) else {
            throw SignatureProblem(
                .certificates,
                "the message has \(certificates.count) certificates, expected "
                    + "the signer's, its issuer's and the root's")
        }
        var all: [Certificate] = []
        for (index, bytes) in certificates.enumerated() {
            do throws(EncodingProblem) {
                all.append(try Certificate(bytes))
            } catch {
                throw SignatureProblem(
                    .certificates, "certificate \(index + 1) is not a certificate: \(error)")
            }
        }
        let leaf = try SignedMessage.take(&all, "the certificate of the signer") {
            $0.issuer == signer.issuer && $0.serial == signer.serial
        }
        let intermediate = try SignedMessage.take(&all, "the issuer of the signer") {
            $0.subject == leaf.issuer
        }
        // Of several roots with the same name, use the one that signed the intermediate.
        let above = (all.isEmpty ? roots.given : all).filter { $0.subject == intermediate.issuer }
        let signing =
            above.count < 2
            ? nil
            : above.first { root in
                root.key.map { intermediate.isSigned(by: $0, verifier) } ?? false
            }
        guard let root = signing ?? above.first else {
            throw SignatureProblem(
                .root, "the message has no root that the intermediate names as its issuer")
        }
        return CertificateChain(leaf: leaf, intermediate: intermediate, root: root)
    }

    private static func take(
        _ all: inout [Certificate], _ what: String, _ isOne: (Certificate) -> Bool
    ) throws(SignatureProblem) -> Certificate {
        guard let index = all.firstIndex(where: isOne) else {
            throw SignatureProblem(.certificates, "the message lacks \(what)")
        }
        return all.remove(at: index)
    }
}
