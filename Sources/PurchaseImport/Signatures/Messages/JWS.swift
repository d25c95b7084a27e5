import PurchaseEvents

/// A signed payload of the App Store in its compact form (RFC 7515): three parts of base64url with
/// dots between them.
///
/// Source: Apple, App Store Server API, `JWSTransaction` and `responseBodyV2`.
public struct JWS: Hashable, Sendable {
    /// The bytes that are signed, whether the signature holds or not.
    public let payload: [UInt8]
    /// The whole text.
    package let text: [UInt8]
    /// Where the header ends in the text, and the payload; a dot follows each.
    private let headerEnd: Int, payloadEnd: Int

    /// Takes a compact JWS apart; costs one pass over the payload.
    ///
    /// What is wrong with the header or the signature is told when it is verified.
    ///
    /// - Throws: a problem of the step ``SignatureStep/form`` where there aren't three parts, or
    ///   the payload isn't base64url without padding.
    public init(_ text: [UInt8]) throws(SignatureProblem) {
        let dots = text.indices.filter { text[$0] == UInt8(ascii: ".") }
        guard dots.count == 2 else {
            throw SignatureProblem(
                .form, "the JWS has \(dots.count + 1) parts, expected three with dots between them")
        }
        self.text = text
        (headerEnd, payloadEnd) = (dots[0], dots[1])
        payload = try JWS.decoded(text[(headerEnd + 1)..<payloadEnd], "payload")
    }

    /// Takes a compact JWS apart.
    public init(_ text: String) throws(SignatureProblem) { try self.init(Array(text.utf8)) }

    /// The text of the header, which tells one chain of certificates from another.
    package var headerText: ArraySlice<UInt8> { text[..<headerEnd] }

    /// What the signature is over: header and payload with the dot between them.
    package var signingInput: ArraySlice<UInt8> { text[..<payloadEnd] }

    /// The signature.
    package func signature() throws(SignatureProblem) -> [UInt8] {
        try JWS.decoded(text[(payloadEnd + 1)...], "signature")
    }

    /// The header.
    package func header() throws(SignatureProblem) -> JWSHeader {
        try JWSHeader(try JWS.decoded(headerText, "header"))
    }

    private static func decoded(
        _ part: ArraySlice<UInt8>, _ name: String
    ) throws(SignatureProblem) -> [UInt8] {
        do throws(EncodingProblem) {
            return try Base64.decodeURL(part)
        } catch {
            throw SignatureProblem(
                .form, "the \(name) is not base64url without padding: \(error)")
        }
    }
}
