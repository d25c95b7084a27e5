import PurchaseEvents

extension JWS {
    /// The stated time of the signature, or `nil` if the payload states none.
    ///
    /// Reads `signedDate`, or the `receiptCreationDate` of an app transaction, in milliseconds
    /// since 1970 with fractions cut. Parses the payload's JSON on each access.
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
    /// Verifies that the App Store signed a payload, with certificates that were valid at the
    /// payload's stated date.
    ///
    /// A payload without a date is invalid.
    public func verify(_ jws: JWS) -> SignatureOutcome {
        guard let date = jws.statedDate else {
            return .invalid(
                SignatureProblem(
                    .dates, "the payload has neither `signedDate` nor `receiptCreationDate`"))
        }
        return verify(jws, at: date)
    }
}
