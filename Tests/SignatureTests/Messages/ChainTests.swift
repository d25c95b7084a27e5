import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation
import TestSigning
import TestSupport
import Testing

@testable import PurchaseSignatures

/// Chains of the tests' own keys, each with one error.
struct ChainTests {
    private let payload = #"{"signedDate":1780315200000}"#

    /// The result of verifying a payload signed under a chain, with the root of the unchanged chain
    /// trusted.
    private func outcome(
        _ chain: TestChain, at instant: Timestamp = TestTimes.noon
    ) throws -> SignatureOutcome {
        let roots = try chain.roots
        return JWSVerifier(roots: roots).verify(try JWS(chain.jws(payload)), at: instant)
    }

    @Test func `a chain as Apple's is valid`() throws {
        #expect(try outcome(.payload) == .valid)
    }

    @Test func `a chain on P-256 with SHA-256 is valid below a given root`() throws {
        let chain = TestChain.payload.with {
            $0.root.key = .p256(seed: "root")
            $0.intermediate.key = .p256(seed: "intermediate")
            $0.intermediate.algorithm = .ecdsaSHA256
            $0.leaf.algorithm = .ecdsaSHA256
        }
        #expect(try outcome(chain) == .valid)
    }

    @Test func `a root of version 1 is an authority where it is trusted`() throws {
        #expect(try outcome(TestChain.payload.with { $0.root.version = 1 }) == .valid)
    }

    @Test func `each certificate is valid from its first to its last instant`() throws {
        let (start, end) = (TestCertificate.start, TestCertificate.end)
        for (name, change) in ChainTests.recipes {
            // One certificate has narrower dates than the others.
            let (first, last) = (
                start.advanced(byMilliseconds: Timestamp.day),
                end.advanced(byMilliseconds: -Timestamp.day)
            )
            let chain = TestChain.payload.with {
                change(&$0) {
                    $0.notBefore = first
                    $0.notAfter = last
                }
            }
            let verifier = JWSVerifier(roots: try chain.roots)
            let jws = try JWS(chain.jws(payload))
            for instant in [first, TestTimes.noon, last] {
                #expect(verifier.verify(jws, at: instant) == .valid, "\(name)")
            }
            for instant in [
                first.advanced(byMilliseconds: -1), last.advanced(byMilliseconds: 1), start, end,
            ] {
                expect(verifier.verify(jws, at: instant), failsAt: .dates, saying: name)
            }
            for instant in [Timestamp.earliest, .latest] {
                expect(verifier.verify(jws, at: instant), failsAt: .dates)
            }
            #expect(verifier.chainsVerified == 1)
        }
    }

    /// A change to one certificate of a chain.
    private typealias Change =
        @Sendable (
            inout TestChain, (inout TestCertificate) -> Void
        ) -> Void

    private static let recipes: [(name: String, change: Change)] = [
        ("leaf", { chain, change in change(&chain.leaf) }),
        ("intermediate", { chain, change in change(&chain.intermediate) }),
        ("root", { chain, change in change(&chain.root) }),
    ]

    @Test func `certificates swapped, doubled, left out or added are refused`() throws {
        let chain = TestChain.payload
        let roots = try chain.roots
        let all = chain.certificates
        let stranger = TestChain.payload.with {
            $0.leaf.key = .p256(seed: "stranger")
            $0.leaf.serial = 8
        }.certificates[0]
        for (certificates, step) in [
            ([all[1], all[0], all[2]], SignatureStep.issuer), ([all[0], all[2], all[1]], .root),
            ([all[2], all[1], all[0]], .root), ([all[0], all[0], all[2]], .issuer),
            ([all[0], all[2], all[2]], .issuer), ([all[1], all[1], all[2]], .issuer),
            ([], .certificates), ([all[0]], .certificates), ([all[0], all[1]], .certificates),
            (all + [all[2]], .certificates), ([stranger, all[1], all[2]], .signature),
        ] {
            var changed = chain
            changed.certificates = certificates
            let jws = try JWS(changed.jws(payload))
            expect(JWSVerifier(roots: roots).verify(jws, at: TestTimes.noon), failsAt: step)
        }
    }

    @Test func `a certificate cut short or longer than it says is refused`() throws {
        let chain = TestChain.payload
        let roots = try chain.roots
        for (place, name) in [(0, "leaf"), (1, "intermediate"), (2, "root")] {
            for change in [1, 100, chain.certificates[place].count - 1, -1] {
                var changed = chain
                changed.certificates[place] =
                    change > 0
                    ? Array(chain.certificates[place].dropLast(change))
                    : chain.certificates[place] + [0]
                let jws = try JWS(changed.jws(payload))
                expect(
                    JWSVerifier(roots: roots).verify(jws, at: TestTimes.noon),
                    failsAt: .certificates, saying: name)
            }
        }
    }

    @Test func `a certificate whose bits were flipped breaks the chain`() throws {
        let chain = TestChain.payload
        let roots = try chain.roots
        var dice = Dice(seed: 9)
        for place in 0..<3 {
            for _ in 0..<12 {
                var changed = chain
                let bit = dice.below(changed.certificates[place].count * 8)
                changed.certificates[place][bit / 8] ^= 1 << UInt8(bit % 8)
                let jws = try JWS(changed.jws(payload))
                let outcome = JWSVerifier(roots: roots).verify(jws, at: TestTimes.noon)
                #expect(!outcome.isValid, "certificate \(place), bit \(bit)")
            }
        }
    }

    @Test func `what is missing or wrong in a certificate is told by its step`() throws {
        let unknown = (identifier: "1.2.3.4.5", isCritical: true, value: DERWriter.null)
        let changes: [(SignatureStep, String, (inout TestChain) -> Void)] = [
            (.markers, "the leaf", { $0.leaf.others = [] }),
            (.markers, "the intermediate", { $0.intermediate.others = [] }),
            (.markers, "the leaf", { swap(&$0.leaf.others, &$0.intermediate.others) }),
            (.authority, "the intermediate", { $0.intermediate.isAuthority = false }),
            (.authority, "the intermediate", { $0.intermediate.isAuthority = nil }),
            (.authority, "the root", { $0.root.isAuthority = false }),
            (.authority, "the root", { $0.root.pathLength = 0 }),
            (.authority, "the intermediate", { $0.intermediate.keyUsage = 0x80 }),
            (.authority, "the root", { $0.root.keyUsage = 0x02 }),
            (.authority, "the leaf", { $0.leaf.keyUsage = 0x04 }),
            (.extensions, "the leaf", { $0.leaf.others.append(unknown) }),
            (.extensions, "the intermediate", { $0.intermediate.others.append(unknown) }),
            (.extensions, "the root", { $0.root.others.append(unknown) }),
            (.issuer, "the leaf", { $0.leaf.issuer = "somebody else" }),
            (.issuer, "the intermediate", { $0.intermediate.issuer = "somebody else" }),
            (.key, "the leaf", { $0.leaf.key = .p384(seed: "leaf") }),
            (.key, "the leaf", { $0.leaf.key = .rsa(0) }),
        ]
        for (step, name, change) in changes {
            let chain = TestChain.payload.with(change)
            expect(try outcome(chain), failsAt: step, saying: name)
        }
    }

    @Test func `RSA is refused where EC is wanted, on each certificate`() throws {
        let chain = TestChain.payload.with {
            $0.intermediate.key = .rsa(1)
            $0.leaf.algorithm = .rsaSHA256
        }
        expect(try outcome(chain), failsAt: .key, saying: "rsaSHA256")
        let above = TestChain.payload.with {
            $0.root.key = .rsa(0)
            $0.root.algorithm = .rsaSHA256
            $0.intermediate.algorithm = .rsaSHA256
        }
        expect(try outcome(above), failsAt: .key)
    }

    @Test func `an issuer of the same name with another key breaks the chain`() throws {
        let chain = TestChain.payload
        let roots = try chain.roots
        for change in [
            { (chain: inout TestChain) in chain.intermediate.key = .p384(seed: "impostor") },
            { (chain: inout TestChain) in chain.root.key = .p384(seed: "impostor") },
        ] {
            let impostor = chain.with(change)
            var mixed = chain
            mixed.certificates[0] = impostor.certificates[0]
            mixed.certificates[1] = impostor.certificates[1]
            mixed.certificates[2] = chain.certificates[2]
            // In the first chain, the root signs the intermediate; only the leaf's signature is the
            // impostor's.
            if impostor.root.key == chain.root.key {
                mixed.certificates[1] = chain.certificates[1]
            }
            let jws = try JWS(mixed.jws(payload))
            expect(JWSVerifier(roots: roots).verify(jws, at: TestTimes.noon), failsAt: .chain)
        }
    }

    @Test func `a root of one's own isn't Apple's, whatever it is called`() throws {
        let chain = TestChain.payload.with {
            $0.root.subject = "Apple Root CA - G3"
            $0.root.issuer = "Apple Root CA - G3"
            $0.intermediate.issuer = "Apple Root CA - G3"
        }
        let jws = try JWS(chain.jws(payload))
        expect(JWSVerifier().verify(jws, at: TestTimes.noon), failsAt: .root)
        let other = try TestChain.receipt.roots
        expect(JWSVerifier(roots: other).verify(jws, at: TestTimes.noon), failsAt: .root)
        #expect(try outcome(chain) == .valid)
    }

    @Test func `a chain is verified once, for every thread`() async throws {
        let chain = TestChain.payload
        let verifier = JWSVerifier(roots: try chain.roots)
        let all = try (0..<8).map { try JWS(chain.jws("{\"signedDate\":\($0)}")) }
        let first = verifier.verify(all[0], at: TestTimes.noon)
        #expect(first == .valid && verifier.chainsVerified == 1)
        let valid = await withTaskGroup(of: Bool.self) { group in
            for jws in all { group.addTask { verifier.verify(jws, at: TestTimes.noon).isValid } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(valid == 8 && verifier.chainsVerified == 1)
    }

    @Test func `the chains that are kept are bounded in number`() throws {
        let chain = TestChain.payload
        let leaf = try Certificate(chain.certificates[0])
        let kept = CertificateChain(leaf: leaf, intermediate: leaf, root: leaf)
        let cache = ChainCache()
        for number in 0..<1_000 { cache.keep(kept, of: Array("\(number)".utf8)) }
        let found = (0..<1_000).count { cache.chain(of: Array("\($0)".utf8)) != nil }
        #expect((1...ChainCache.capacity).contains(found))
        #expect(cache.chain(of: Array("999".utf8)) == kept)
        let long = [UInt8](repeating: 0x41, count: ChainCache.longestText + 1)
        cache.keep(kept, of: long)
        #expect(cache.chain(of: long) == nil)
    }
}
