import PurchaseEvents

/// A signed payload of the App Store in compact form (RFC 7515): three parts of base64url,
/// separated by dots.
///
/// Source: Apple, App Store Server API, `JWSTransaction` and `responseBodyV2`.
public struct JWS: Hashable, Sendable {
    /// The decoded payload; its signature may be invalid.
    public let payload: [UInt8]
    package let text: [UInt8]
    /// The ends of the header and the payload in the text; a dot follows each.
    private let headerEnd: Int, payloadEnd: Int

    /// Parses a compact JWS in one pass over the payload.
    ///
    /// Verification reports problems of the header and the signature.
    ///
    /// - Throws: A problem of the step ``SignatureStep/form`` if there aren't three parts, or the
    ///   payload isn't base64url without padding.
    public init(_ text: [UInt8]) throws(SignatureProblem) {
        let dot = UInt8(ascii: ".")
        let dots = text.count { $0 == dot }
        guard dots == 2, let first = text.firstIndex(of: dot), let last = text.lastIndex(of: dot)
        else {
            throw SignatureProblem(
                .form, "the JWS has \(dots + 1) parts, expected three with dots between them")
        }
        self.text = text
        (headerEnd, payloadEnd) = (first, last)
        payload = try JWS.decoded(text[(headerEnd + 1)..<payloadEnd], "payload")
    }

    /// Parses a compact JWS.
    public init(_ text: String) throws(SignatureProblem) { try self.init(Array(text.utf8)) }

    /// The text of the header, which identifies the chain of certificates.
    package var headerText: ArraySlice<UInt8> { text[..<headerEnd] }

    /// The signed text: header and payload with the dot between them.
    package var signingInput: ArraySlice<UInt8> { text[..<payloadEnd] }

    package func signature() throws(SignatureProblem) -> [UInt8] {
        try JWS.decoded(text[(payloadEnd + 1)...], "signature")
    }

    package func header() throws(SignatureProblem) -> JWSHeader {
        try JWSHeader(try JWS.decoded(headerText, "header"))
    }

    private static func decoded(
        _ part: ArraySlice<UInt8>, _ name: String
    ) throws(SignatureProblem) -> [UInt8] {
        do throws(EncodingProblem) {
            return try Base64.decodeURL(part)
        } catch {
            throw SignatureProblem(.form, "the \(name) is not base64url without padding: \(error)")
        }
    }
}
