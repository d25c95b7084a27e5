import PurchaseEvents
import PurchaseSimulation

/// The contents of a certificate: a recipe that a test changes in one place.
package typealias TestCertificate = CertificateRecipe<TestKey>

extension TestCertificate {
    /// 1 January 2020 and 1 January 2040.
    package static var start: Timestamp { Timestamp(milliseconds: 1_577_836_800_000) }
    package static var end: Timestamp { Timestamp(milliseconds: 2_208_988_800_000) }

    package init(key: TestKey, subject: String, issuer: String) {
        self.init(
            key: key, subject: subject, issuer: issuer, notBefore: Self.start, notAfter: Self.end)
    }
}
