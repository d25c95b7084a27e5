/// The certificates at which a chain may end.
public struct TrustedRoots: Sendable {
    /// The roots that were given; `nil` for Apple's own.
    let given: [[UInt8]]?

    /// Apple's own: Apple Root CA - G3 for signed payloads, Apple Root CA for receipts.
    public static let apple = TrustedRoots(given: nil)

    private init(given: [[UInt8]]?) { self.given = given }

    /// The certificates of files instead of Apple's own, each file DER, or PEM with one certificate
    /// or several.
    ///
    /// - Throws: a problem of the step ``SignatureStep/root`` that names the number of the file,
    ///   counted from 1, where a file is no certificate.
    public init(certificates files: [[UInt8]]) throws(SignatureProblem) {
        given = files
    }
}
