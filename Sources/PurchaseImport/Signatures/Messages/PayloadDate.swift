import PurchaseEvents

extension JWS {
    /// When the payload says that it was signed: `signedDate`, or the `receiptCreationDate` of an app
    /// transaction, in milliseconds since 1970, whose fractions are cut; `nil` where there is
    /// neither. Reads the payload's JSON.
    public var statedDate: Timestamp? {
        var stated: Timestamp?
        JSONReader.read(payload) { part in
            guard case .document(let document) = part,
                case .number(let digits) =
                    (document["signedDate"] ?? document["receiptCreationDate"])?.content
            else { return }
            stated = Int64(digits.prefix { $0 != "." }).map { Timestamp(milliseconds: $0) }
        }
        return stated
    }
}

extension JWSVerifier {
    /// Whether a payload is what the App Store signed, with certificates that were valid at the date
    /// that the payload states; one that states none is invalid.
    public func verify(_ jws: JWS) -> SignatureOutcome {
        guard let date = jws.statedDate else {
            return .invalid(
                SignatureProblem(
                    .dates, "the payload has neither `signedDate` nor `receiptCreationDate`"))
        }
        return verify(jws, at: date)
    }
}
