import TestSupport
import Testing

@testable import PurchaseEvents

struct WordIndexTests {
    private let lengths = WordIndex<Int>(
        pairs: (1...24).map { (String(repeating: "a", count: $0), $0) })

    private func find<Value>(_ word: String, _ index: WordIndex<Value>) -> Value? {
        Array(word.utf8).withUnsafeBytes { index.find($0) }
    }

    @Test(arguments: 1...24)
    func `a word of any length is found, and no similar word`(_ length: Int) {
        let word = String(repeating: "a", count: length)
        #expect(find(word, lengths) == length)
        #expect(find(word.dropLast() + "b", lengths) == nil)
        #expect(find("b" + word.dropFirst(), lengths) == nil)
    }

    @Test(arguments: ["", "\0", "aaaaaaaaaaaaaaaaaaaaaaaaa", "A", "é"])
    func `an unknown word isn't found`(_ word: String) {
        #expect(find(word, lengths) == nil)
    }

    @Test(arguments: 1...24)
    func `a word with trailing zeros is another word`(_ length: Int) {
        let word = String(repeating: "a", count: length)
        #expect(find(word + "\0", lengths) == nil)
        #expect(find(word + "\0\0", lengths) == nil)
        #expect(find("\0" + word, lengths) == nil)
    }

    @Test func `each key and each type is found by its name only`() {
        for key in Key.allCases {
            #expect(find(key.wireName, Key.names) == key)
            #expect(find(key.wireName.uppercased(), Key.names) == nil)
            #expect(key.wireLength == key.wireName.utf8.count)
        }
        for type in EventType.allCases {
            #expect(find(type.wireName, EventType.names) == type)
            #expect(find(type.wireName + "s", EventType.names) == nil)
        }
        #expect(Set(Key.allCases.map(\.wireName)).count == Key.allCases.count)
    }

    @Test func `a random word is found only if it is in the list`() {
        var dice = Dice(seed: 7)
        let words = Set((0..<300).map { _ in word(&dice) })
        let index = WordIndex<String>(pairs: words.map { ($0, $0) })
        for word in words { #expect(find(word, index) == word) }
        for _ in 0..<2_000 {
            let other = word(&dice)
            #expect((find(other, index) != nil) == words.contains(other))
        }
    }

    private func word(_ dice: inout Dice) -> String {
        String((0...dice.below(6)).map { _ in dice.pick(Array("abc")) })
    }
}
