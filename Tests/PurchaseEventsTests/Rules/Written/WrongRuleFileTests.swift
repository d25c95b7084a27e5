import PurchaseEvents
import PurchaseProjections
import Testing

/// Each possible error of a rule file, with its position, what was seen and what was expected.
struct WrongRuleFileTests {
    /// The title of each story is the error of its file.
    @Test func `a wrong file says where, what was seen and what was expected`() throws {
        let wrong = StoryFile(url: StoryFile.folder.appending(path: "RuleFiles/wrong.stories"))
        for story in try wrong.stories() {
            let text = story.lines.map { $0.dropFirst(2) }.joined(separator: "\n")
            expectError(story.title, of: text)
        }
        expectError(
            "own.rules:1:1: seen a file without a rule, "
                + "expected `rule ID: error`, `warning` or `note`, and a body", of: "")
        expectError(
            "own.rules:2:41: seen a control character, expected a word",
            of: "rule x: error\n  each queue.purchased where product = a\u{1}b never happens")
    }

    private func expectError(
        _ message: String, of text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(
            throws: RuleFileError.self, "\(message)", sourceLocation: sourceLocation
        ) {
            try WrittenRule.rules(of: Array(text.utf8), file: "own.rules")
        }
        #expect(error?.description == message, sourceLocation: sourceLocation)
    }

    @Test func `bytes that are no UTF-8 are told by their line`() {
        let bytes = Array("# first\n".utf8) + [0xFF, 0x0A]
        #expect(
            throws: RuleFileError.self,
            performing: {
                try WrittenRule.rules(of: bytes, file: "own.rules")
            })
    }

    @Test func `no change of one byte of a right file traps`() throws {
        let text = Array(
            "rule x: error\n each queue.* where type in (queue.failed) and price > 3\n"
                .utf8)
        for index in text.indices {
            for byte in [UInt8(0), 0x0A, 0x22, 0x28, 0x2E, 0x5C, 0x7A, 0xC3] {
                var wrong = text
                wrong[index] = byte
                _ = try? WrittenRule.rules(of: wrong, file: "own.rules")
                _ = try? WrittenRule.rules(of: Array(wrong[...index]), file: "own.rules")
            }
        }
    }
}
