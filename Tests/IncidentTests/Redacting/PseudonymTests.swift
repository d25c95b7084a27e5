import PurchaseEvents
import TestSupport
import Testing

@testable import PurchaseIncidents

struct PseudonymTests {
    private func pseudonyms(of names: [String]) -> [String] {
        var pseudonyms = Pseudonyms(Redacting.key)
        return names.map { pseudonyms.pseudonym(of: $0) }
    }

    @Test func `the hash is HMAC-SHA256 of RFC 2104`() throws {
        // RFC 4231, case 1, and a key longer than a block.
        let key = try #require(RedactionKey([UInt8](repeating: 0x0B, count: 20)))
        #expect(
            Self.hex(key.authenticate(Array("Hi There".utf8)))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let long = try #require(RedactionKey([UInt8](repeating: 0xAA, count: 131)))
        let message = "Test Using Larger Than Block-Size Key - Hash Key First"
        #expect(
            Self.hex(long.authenticate(Array(message.utf8)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
        #expect(RedactionKey([UInt8](repeating: 0, count: 15)) == nil)
        #expect(RedactionKey([UInt8](repeating: 0, count: 16)) != nil)
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `short names are permuted: each has a pseudonym of its own`() {
        let lists = [
            (1...9).map { "\($0)" }, (10...99).map { "\($0)" }, (100...999).map { "\($0)" },
            "abcdefghijklmnopqrstuvwxyz".map { "\($0)" },
            (0...9).flatMap { digit in "abcdefghijklmnopqrstuvwxyz".map { "\($0)\(digit)" } },
            (0...9).map { "0\($0)" },
        ]
        for names in lists {
            let given = pseudonyms(of: names)
            #expect(Set(given) == Set(names), "\(names[0])")
            #expect(names.count < 20 || given != names)
        }
    }

    @Test(arguments: [
        ("6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01", NameForm.Kind.uuid),
        ("6F1C2A9E-0B7D-4C51-9A3E-2D8F5B6C7A01", .uuid), ("2000000000000101", .digits),
        ("7", .digits), ("0017", .digits), ("d41d8cd98f00b204e9800998ecf8427e", .hex),
        ("D41D8CD98F00B204", .hex), ("sUk3mZq9Lw0eRt7yUi2oPa==", .token),
        ("payment-6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01", .token), ("coins", .pattern),
        ("a1", .pattern), ("deadbeef", .pattern), ("ada.lovelace@example.com", .pattern),
        ("Ada Lovelace", .pattern), ("6F1C2A9e-0b7d-4c51-9a3e-2d8f5b6c7a01", .hex),
    ])
    func `a pseudonym has the form of its name`(name: String, kind: NameForm.Kind) throws {
        let form = NameForm(name)
        #expect(form.kind == kind)
        let pseudonym = pseudonyms(of: [name])[0]
        #expect(NameForm(pseudonym) == form, "\(pseudonym)")
        #expect(pseudonym.utf8.count == name.utf8.count)
        #expect(name.utf8.count < 4 || pseudonym != name)
        var other = Pseudonyms(Redacting.key("another key of the tests"))
        #expect(name.utf8.count < 4 || other.pseudonym(of: name) != pseudonym)
    }

    @Test func `a UUID in capitals is the same UUID`() {
        let name = "6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01"
        let given = pseudonyms(of: [name, name.uppercased()])
        #expect(given[1] == given[0].uppercased())
        #expect(given[0].dropFirst(14).first == "4" && given[0].dropFirst(19).first == "9")
    }

    @Test(arguments: [
        "6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01", "6f1c2b1e3d474a908c552b7e90d1f3a8",
        "abcdef0123456789", "abcdef0123456789zzzzzz01", "ada.lovelace@example.com", "a1bc",
    ])
    func `names that differ only in their case have pseudonyms that differ only in it`(
        _ name: String
    ) {
        let capitals = name.enumerated().map {
            $0.offset % 2 == 0 ? $0.element.uppercased() : "\($0.element)"
        }
        let names = [name, name.uppercased(), capitals.joined()]
        let given = pseudonyms(of: names)
        #expect(Set(given).count == 3 && Set(given.map { $0.lowercased() }) == [given[0]])
        #expect(given[1] == given[0].uppercased())
        for (name, pseudonym) in zip(names, given) {
            #expect(NameForm(name) == NameForm(pseudonym), "\(name): \(pseudonym)")
        }
    }

    @Test func `what isn't ASCII becomes letters that aren't either`() {
        let names = ["Jürgen", "Jörgen", "J\u{200E}rgen", "金", "銀", "🎟", "ü", "é", "J😀rgen"]
        let given = pseudonyms(of: names)
        #expect(Set(given).count == names.count && Set(given).isDisjoint(with: names))
        #expect(given.allSatisfy { $0.unicodeScalars.contains { !$0.isASCII } })
        let long = String(repeating: "ü", count: 127)
        let dashes = String(repeating: "-", count: 250) + "üü"
        for name in pseudonyms(of: [long, dashes]) { #expect(name.utf8.count <= 255) }
    }

    @Test(arguments: [
        "ee7455A3A9c4a3531d2", "AbCdEf0123456789", "1234-5678-9012-3456", "ab12-cd34-ef56-ab78",
        "AB12CD34-EF56AB78", "0123456789abcdefABCDEF0123456789",
    ])
    func `hex digits of any case, with dashes or without, stay hex digits`(_ name: String) {
        let form = NameForm(name)
        #expect(form.kind == .hex && form.isOpaque)
        let pseudonym = pseudonyms(of: [name])[0]
        #expect(pseudonym != name && NameForm(pseudonym) == form)
    }

    @Test func `names of different bytes differ, even if their strings are equal`() {
        let names = ["Ren\u{E9}", "Rene\u{301}"]
        #expect(names[0] == names[1])
        let given = pseudonyms(of: names)
        #expect(given[0] != given[1] && pseudonyms(of: names.reversed()) == given.reversed())
    }

    @Test func `names of one log never meet`() {
        let count = Effort.of(whole: 20_000, part: 600)
        var dice = Dice(seed: 23)
        var names: Set<String> = []
        let letters = Array("0123456789abcdefghzABCF-@.ü")
        while names.count < count {
            let (length, kinds) = (1 + dice.below(24), 2 + dice.below(letters.count - 1))
            names.insert(String((0..<length).map { _ in letters[dice.below(kinds)] }))
        }
        let given = pseudonyms(of: names.sorted())
        #expect(Set(given).count == names.count)
        for (name, pseudonym) in zip(names.sorted(), given) where !name.contains("ü") {
            #expect(NameForm(name) == NameForm(pseudonym), "\(name): \(pseudonym)")
        }
    }

    @Test func `pseudonyms stay the same from version to version`() {
        let names = ["6f1c2a9e-0b7d-4c51-9a3e-2d8f5b6c7a01", "2000000000000101", "a1", "coins"]
        #expect(pseudonyms(of: names) == Self.pinned)
    }

    private static let pinned = [
        "1d117199-e490-4409-98cb-21f958012629", "6037398790716638", "x9", "eorei",
    ]
}
