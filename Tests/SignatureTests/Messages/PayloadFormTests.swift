import PurchaseEvents
import PurchaseSignatures
import TestSigning
import Testing

/// Payloads with errors in their form, header or signature (importing.md, 6).
struct PayloadFormTests {
    private let chain = TestChain.payload
    private let payload = #"{"signedDate":1780315200000}"#

    private func outcome(_ text: String) throws -> SignatureOutcome {
        JWSVerifier(roots: try chain.roots).verify(try JWS(text), at: TestTimes.noon)
    }

    @Test func `anything but three parts is no payload`() {
        let parts = chain.jws(payload).split(separator: ".").map(String.init)
        for text in [
            "", "a", parts[0] + "." + parts[1], parts.joined(separator: ".") + ".",
            parts.joined(separator: ".") + "." + parts[2], parts.joined(separator: ".."),
        ] {
            #expect { try JWS(text) } throws: { ($0 as? SignatureProblem)?.step == .form }
        }
    }

    @Test func `padding, spaces and foreign digits are refused in each part`() throws {
        let parts = chain.jws(payload).split(separator: ".").map(String.init)
        for place in 0..<3 {
            for end in ["=", "==", " ", "\n", "+", "/", "é", "A\u{0}"] {
                var changed = parts
                changed[place] += end
                let text = changed.joined(separator: ".")
                if place == 1 {
                    #expect { try JWS(text) } throws: { ($0 as? SignatureProblem)?.step == .form }
                } else {
                    expect(try outcome(text), failsAt: .form)
                }
            }
        }
    }

    @Test func `the last digit of a part has no bits that mean nothing`() throws {
        let text = chain.jws(payload)
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(text.last.flatMap { digits.firstIndex(of: $0) })
        // 64 bytes take 86 digits, and the last digit has four unused bits.
        #expect(last % 16 == 0)
        for other in 1..<16 {
            expect(try outcome(text.dropLast() + String(digits[last + other])), failsAt: .form)
        }
    }

    @Test(arguments: ["none", "HS256", "ES384", "es256", "ES256 ", "", "RS256"])
    func `an algorithm other than ES256 is refused`(algorithm: String) throws {
        let text = chain.jws(payload, header: chain.header(algorithm: algorithm))
        expect(try outcome(text), failsAt: .algorithm)
        #expect(try JWS(text).payload == Array(payload.utf8))
    }

    @Test func `a header that isn't what it must be is refused`() throws {
        let list = chain.header().dropFirst(#"{"alg":"ES256","x5c":"#.count).dropLast()
        for (header, step) in [
            ("", SignatureStep.header), ("{", .header), ("[]", .header), ("[{}]", .header),
            ("\"ES256\"", .header), ("{}{}", .header), ("{}", .algorithm),
            (#"{"alg":256}"#, .header), (#"{"alg":"ES256"}"#, .certificates),
            (#"{"alg":"ES256","x5c":"a"}"#, .header), (#"{"alg":"ES256","x5c":[1,2,3]}"#, .header),
            (#"{"alg":"ES256","x5c":[]}"#, .certificates),
            (#"{"alg":"ES256","x5c":["","",""]}"#, .certificates),
            (#"{"alg":"ES256","x5c":["!","!","!"]}"#, .certificates),
            (#"{"alg":"none","alg":"ES256","x5c":\#(list)}"#, .header),
            (#"{"alg":"ES256","crit":["exp"],"x5c":\#(list)}"#, .header),
        ] {
            expect(try outcome(chain.jws(payload, header: header)), failsAt: step)
        }
        let more = #"{"kid":"a","typ":"JWT","alg":"ES256","x5c":\#(list)}"#
        #expect(try outcome(chain.jws(payload, header: more)) == .valid)
    }

    @Test func `a signature of another length, or of zeros, is refused`() throws {
        let signed = chain.jws(payload).split(separator: ".")
        let input = "\(signed[0]).\(signed[1])."
        for count in [0, 1, 63, 65, 96, 128] {
            let bytes = [UInt8](repeating: 1, count: count)
            expect(try outcome(input + TestChain.base64URL(bytes)), failsAt: .signature)
        }
        for filling in [UInt8(0), 0xFF] {
            let bytes = [UInt8](repeating: filling, count: 64)
            expect(try outcome(input + TestChain.base64URL(bytes)), failsAt: .signature)
        }
    }

    @Test func `a signature over another payload is refused, and the payload can be read`() throws {
        let (one, other) = (chain.jws(payload), chain.jws("{}"))
        let parts = one.split(separator: "."), others = other.split(separator: ".")
        let mixed = "\(parts[0]).\(others[1]).\(parts[2])"
        expect(try outcome(mixed), failsAt: .signature)
        #expect(try JWS(mixed).payload == Array("{}".utf8))
    }

    @Test func `a payload is held against the date that it states`() throws {
        let verifier = JWSVerifier(roots: try chain.roots)
        for (payload, date) in [
            (#"{"signedDate":1780315200000}"#, Int64(1_780_315_200_000)),
            (#"{"signedDate":1780315200000.25,"receiptCreationDate":1}"#, 1_780_315_200_000),
            (#"{"receiptCreationDate":1780315200000}"#, 1_780_315_200_000),
        ] {
            let jws = try JWS(chain.jws(payload))
            #expect(jws.statedDate == Timestamp(milliseconds: date))
            #expect(verifier.verify(jws) == .valid)
        }
        for payload in [
            "{}", "", "[1]", #"{"signedDate":"1780315200000"}"#, #"{"signedDate":0}"#,
            #"{"signedDate":-1}"#, #"{"signedDate":99999999999999999999}"#,
            #"{"signedDate":1e12}"#,
        ] {
            expect(verifier.verify(try JWS(chain.jws(payload))), failsAt: .dates)
        }
    }

    @Test func `a message repeats nothing that could drive a terminal`() throws {
        let header = #"{"alg":"\u001b[31m\u202e","x5c":[]}"#
        guard case .invalid(let problem) = try outcome(chain.jws(payload, header: header)) else {
            Issue.record("valid")
            return
        }
        #expect(problem.step == .algorithm)
        #expect(problem.message.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }

    @Test func `the roots of a file are DER or PEM, one or several`() throws {
        let other = TestChain.receipt
        let jws = try JWS(chain.jws(payload))
        for files in [
            [chain.root.signed(by: chain.root.key)], [chain.rootPEM],
            [other.rootPEM + chain.rootPEM],
            [other.rootPEM, chain.rootPEM], [Array("a note\n".utf8) + chain.rootPEM],
        ] {
            let roots = try TrustedRoots(certificates: files)
            #expect(JWSVerifier(roots: roots).verify(jws, at: TestTimes.noon) == .valid)
        }
        let torn = Array(chain.rootPEM.dropLast(30))
        for files in [[[]], [Array("no certificate".utf8)], [chain.rootPEM, torn]] {
            #expect { try TrustedRoots(certificates: files) } throws: {
                ($0 as? SignatureProblem).map {
                    $0.step == .root && $0.message.contains("file \(files.count)")
                } ?? false
            }
        }
    }
}
