import PurchaseEvents
import PurchaseSignatures
import PurchaseSimulation
import TestSigning
import Testing

/// The DER and BER reader: what it accepts, and where it finds errors.
struct ASN1Tests {
    /// Reads every element and its contents; returns their number.
    private func walk(_ reader: ASN1Reader) throws(EncodingProblem) -> Int {
        var (reader, count) = (reader, 0)
        while !reader.isAtEnd {
            let element = try reader.next()
            count += 1
            if element.isConstructed { count += try walk(try reader.inside(element)) }
        }
        return count
    }

    private func problem(_ hex: String, _ rules: ASN1Reader.Rules) -> EncodingProblem? {
        do throws(EncodingProblem) {
            _ = try walk(ASN1Reader(TestHex.bytes(hex), rules))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "", "0500", "3000", "30030101FF", "020100", "0481 80" + String(repeating: "00", count: 128),
    ])
    func `DER is BER too`(hex: String) {
        #expect(problem(hex, .der) == nil && problem(hex, .ber) == nil)
    }

    @Test(arguments: [
        ("308002010000 00", 0), ("04810101", 1), ("0482000101", 1), ("30 06 0500 0481 01 00", 5),
    ])
    func `BER that isn't DER is an error of DER with its place`(hex: String, offset: Int) {
        #expect(problem(hex, .ber) == nil)
        #expect(problem(hex, .der)?.offset == offset)
    }

    @Test(arguments: [
        ("04", 1, "seen the end"), ("0402", 0, "2 bytes where 0 are left"),
        ("3003040201", 2, "2 bytes where 1 are left"), ("0488 8000000000000000", 1, "63 bits"),
        ("0489 010000000000000000", 1, "63 bits"), ("3080 0500", 0, "without end-of-contents"),
        ("3080 0500 00", 4, "half"), ("0480 0000", 0, "indefinite"), ("0000", 0, "end-of-contents"),
        ("1F81 00", 0, "above 30"), ("048201", 3, "byte of a length"),
    ])
    func `what is no BER is an error with its place`(hex: String, offset: Int, words: String) {
        let problem = problem(hex, .ber)
        #expect(problem?.offset == offset)
        #expect(problem?.message.contains(words) == true, "\(String(describing: problem))")
    }

    @Test func `elements lie 32 deep in each other, and no deeper`() {
        for (depth, isRead) in [(32, true), (33, false), (1_000, false)] {
            let indefinite =
                String(repeating: "3080", count: depth) + "0500"
                + String(repeating: "0000", count: depth)
            #expect((problem(indefinite, .ber) == nil) == isRead, "\(depth)")
            let definite = (0..<depth).reduce(DERWriter.null) { inner, _ in
                DERWriter.element(0x30, inner)
            }
            #expect((problem(TestHex.text(definite), .der) == nil) == isRead, "\(depth)")
        }
        let open = String(repeating: "3080", count: 100_000)
        #expect(problem(open, .ber)?.message.contains("32 deep") == true)
    }

    @Test func `a string in pieces is their bytes, and holds nothing else`() throws {
        var reader = ASN1Reader(TestHex.bytes("2480 0401 01 2403 0401 02 0402 0304 0000"), .ber)
        #expect(try reader.nextOctets() == [1, 2, 3, 4])
        var strict = ASN1Reader(TestHex.bytes("2403 040102"), .der)
        #expect(throws: EncodingProblem.self) { try strict.nextOctets() }
        var foreign = ASN1Reader(TestHex.bytes("2403 020102"), .ber)
        #expect { try foreign.nextOctets() } throws: { ($0 as? EncodingProblem)?.offset == 2 }
    }

    @Test func `integers are read in the fewest bytes`() throws {
        for (hex, number) in [
            ("020100", Int64(0)), ("02017F", 127), ("02020080", 128), ("020180", -128),
            ("0202FF7F", -129), ("02087FFFFFFFFFFFFFFF", Int64.max),
            ("02088000000000000000", Int64.min),
        ] {
            var reader = ASN1Reader(TestHex.bytes(hex), .der)
            #expect(try reader.nextInteger() == number)
            #expect(DERWriter.integer(number) == TestHex.bytes(hex))
        }
        for hex in ["0200", "02020001", "0202FF80", "0209008000000000000000"] {
            var reader = ASN1Reader(TestHex.bytes(hex), .ber)
            #expect(throws: EncodingProblem.self) { try reader.nextInteger() }
        }
        var negative = ASN1Reader(TestHex.bytes("020180"), .der)
        #expect(throws: EncodingProblem.self) { try negative.nextNatural() }
    }

    @Test func `times are in UTC to the second`() throws {
        for (tag, text, time) in [
            (UInt8(0x17), "491231235959Z", "2049-12-31T23:59:59.000Z"),
            (0x17, "500101000000Z", "1950-01-01T00:00:00.000Z"),
            (0x18, "20500101000000Z", "2050-01-01T00:00:00.000Z"),
            (0x18, "00010101000000Z", "0001-01-01T00:00:00.000Z"),
        ] {
            var reader = ASN1Reader(DERWriter.element(tag, Array(text.utf8)), .der)
            #expect(try reader.nextTime().text == time)
        }
        for (tag, text) in [
            (UInt8(0x17), "4912312359Z"), (0x17, "491231235959+0100"), (0x17, "490230000000Z"),
            (0x17, "491231240000Z"), (0x17, "491231006000Z"), (0x18, "20500101000000.5Z"),
            (0x18, "500101000000Z"), (0x16, "491231235959Z"), (0x17, "49123123595 Z"), (0x17, ""),
        ] {
            var reader = ASN1Reader(DERWriter.element(tag, Array(text.utf8)), .der)
            #expect(throws: EncodingProblem.self) { try reader.nextTime() }
        }
    }

    @Test func `an object identifier is written with dots`() {
        for dotted in [
            "1.2.840.113635.100.6.11.1", "2.5.29.19", "0.9", "2.999.18446744073709551615",
        ] {
            var reader = ASN1Reader(DERWriter.identifier(dotted), .der)
            #expect((try? reader.nextIdentifier())?.description == dotted)
        }
        let numbers = ObjectIdentifier(1, 2, 840, 113_635, 100, 6, 11, 1)
        #expect(numbers.description == "1.2.840.113635.100.6.11.1")
        let long = ObjectIdentifier(encoded: [0x2A] + [UInt8](repeating: 0xFF, count: 20) + [1])
        #expect(long.description == "1.2.?")
        let many = ObjectIdentifier(encoded: [UInt8](repeating: 1, count: 100_000))
        #expect(many.description.count < 200 && many.description.hasSuffix("..."))
        var open = ASN1Reader([6, 1, 0x80], .der)
        #expect(throws: EncodingProblem.self) { try open.nextIdentifier() }
    }
}
