/// The spelling of state kept for months: each name is its fingerprint, and no text is stored.
///
/// Two names with equal fingerprints would count as one. The two halves of a fingerprint have keys
/// of their own, random and secret (``HashKey``), so nobody can choose such names, and among 2^32
/// names the chance is about 1 in 2^65. Names of different roles are never compared.
package enum Fingerprinted: Spelling {
    package typealias Name = Fingerprint
    package typealias Key = Fingerprint
    package typealias Text = TextSpan
}
