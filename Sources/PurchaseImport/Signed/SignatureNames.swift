import PurchaseSignatures

// The interface of the importers names these types, so whoever imports this module has their names.

/// A signed payload of the App Store in compact form.
public typealias JWS = PurchaseSignatures.JWS

/// Verifies signed payloads of the App Store: the signature and the certificates up to a trusted
/// root.
public typealias JWSVerifier = PurchaseSignatures.JWSVerifier

/// The root certificates that a chain may end at.
public typealias TrustedRoots = PurchaseSignatures.TrustedRoots

/// The outcome of verifying a signature and its certificates.
public typealias SignatureOutcome = PurchaseSignatures.SignatureOutcome

/// The first step of a verification that failed, and why.
public typealias SignatureProblem = PurchaseSignatures.SignatureProblem

/// The steps of a verification, in order.
public typealias SignatureStep = PurchaseSignatures.SignatureStep

/// Verifies one signature under one public key.
public typealias SignatureVerifier = PurchaseSignatures.SignatureVerifier

/// The implementations of ``SignatureVerifier`` on this platform.
public typealias SignatureVerifiers = PurchaseSignatures.SignatureVerifiers

/// Verifies signatures in plain Swift, on every platform.
public typealias PortableVerifier = PurchaseSignatures.PortableVerifier

/// The signature algorithms of App Store data.
public typealias SignatureAlgorithm = PurchaseSignatures.SignatureAlgorithm

/// The public key of a certificate.
public typealias PublicKey = PurchaseSignatures.PublicKey
