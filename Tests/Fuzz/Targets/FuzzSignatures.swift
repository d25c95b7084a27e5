@testable import PurchaseEvents
@testable import PurchaseSignatures

/// Reads arbitrary bytes as a certificate, a signed payload or a signed message: the result is a
/// value or an error with its position, and nothing unsigned is valid.
enum SignatureFuzz {
    /// Accepts every signature, so that the code behind the check is reached.
    private struct Credulous: SignatureVerifier {
        let name = "credulous"

        func isValid(
            _ signature: [UInt8], of message: UnsafeRawBufferPointer, under key: PublicKey,
            _ algorithm: SignatureAlgorithm
        ) -> Bool { true }
    }

    private static let instant = Timestamp(milliseconds: 1_780_315_200_000)

    static func run(certificate input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        do throws(EncodingProblem) {
            let certificate = try Certificate(bytes)
            precondition(certificate.bytes == bytes, "a certificate is all its bytes")
            precondition(
                certificate.signedRange.upperBound < bytes.count, "what is signed is in it")
        } catch {
            check(error, bytes)
        }
        do throws(EncodingProblem) {
            let strict = try elements(ASN1Reader(bytes, .der))
            let tolerant = try elements(ASN1Reader(bytes, .ber))
            precondition(strict == tolerant, "DER is BER")
        } catch {
            check(error, bytes)
        }
        _ = try? TrustedRoots(certificates: [bytes])
        _ = ECDSASignature.fixedWidth(der: bytes, width: 32)
    }

    static func run(payload input: UnsafeRawBufferPointer) {
        do throws(SignatureProblem) {
            let jws = try JWS(Array(input))
            let header = try jws.header()
            precondition(
                !JWSVerifier().verify(jws, at: instant).isValid, "nobody signed what is made up")
            guard let root = header.certificates?.last,
                let roots = try? TrustedRoots(certificates: [root])
            else { return }
            _ = JWSVerifier(roots: roots, verifier: Credulous()).verify(jws, at: instant)
        } catch {
            check(error)
        }
    }

    static func run(message input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        do throws(EncodingProblem) {
            let message = try SignedMessage(bytes)
            precondition(message.reader.bytes.count <= bytes.count, "no more content than bytes")
            if case .invalid(let problem) = message.verify(roots: .apple, at: instant) {
                check(problem)
            } else {
                preconditionFailure("nobody signed what is made up")
            }
            for root in message.certificates {
                guard let roots = try? TrustedRoots(certificates: [root]) else { continue }
                _ = message.verify(roots: roots, at: instant, with: Credulous())
            }
            _ = message.isXcode
        } catch {
            check(error, bytes)
        }
    }

    /// Visits every element and its contents.
    private static func elements(
        _ reader: ASN1Reader
    ) throws(EncodingProblem) -> [ASN1Element] {
        var (reader, all) = (reader, [ASN1Element]())
        while !reader.isAtEnd {
            let element = try reader.next()
            all.append(element)
            if element.isConstructed { all += try elements(try reader.inside(element)) }
        }
        return all
    }

    private static func check(_ problem: EncodingProblem, _ bytes: [UInt8]) {
        precondition((0...bytes.count).contains(problem.offset), "a place in the bytes")
        precondition(isSafe(problem.message), "safe to print")
    }

    private static func check(_ problem: SignatureProblem) {
        precondition(!problem.message.isEmpty && isSafe(problem.message), "safe to print")
    }

    private static func isSafe(_ message: String) -> Bool {
        !message.unicodeScalars.contains(where: EscapedText.isUnsafe)
    }
}

#if FUZZING
    /// Called by libFuzzer with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
        let input = UnsafeRawBufferPointer(start: start, count: count)
        #if FUZZING_CERTIFICATES
            SignatureFuzz.run(certificate: input)
        #elseif FUZZING_PAYLOADS
            SignatureFuzz.run(payload: input)
        #else
            SignatureFuzz.run(message: input)
        #endif
        return 0
    }
#endif
