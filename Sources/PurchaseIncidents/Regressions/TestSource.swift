import PurchaseEvents

/// Generates a Swift Testing source file with a log and its expected findings and rows.
public enum TestSource {
    /// The error for a line that a Swift source can't contain as it is.
    public struct Unwritable: Error, Hashable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
    }

    /// The source of a test: the log as a literal, and its expected ``LogLines/answers()``.
    ///
    /// The test attaches the log and the answers found, for `swift test --attachments-path=FOLDER`.
    ///
    /// Throws ``Unwritable`` if a line isn't valid UTF-8 or has a control character.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - name: A sentence without a grave accent and without line ends.
    public static func text(_ log: LogLines, name: String) throws -> String {
        let answers = try log.answers()
        var lines: [String] = []
        for index in log.indices {
            let bytes = Array(log[index])
            let text = String(decoding: bytes, as: UTF8.self)
            let isPlain = !bytes.contains { $0 < 0x20 || $0 == 0x7F }
            guard isPlain, text.utf8.elementsEqual(bytes) else { throw Unwritable(line: index + 1) }
            lines.append(text)
        }
        let fence = String(repeating: "#", count: longestFence(in: lines + answers) + 1)
        let indent = "            "
        var source = """
            import PurchaseIncidents
            import Testing

            @Test func `\(name)`() throws {
                let log = LogLines(
                    text: \(fence)\"""

            """
        for line in lines { source += line.isEmpty ? "\n" : "\(indent)\(line)\n" }
        source += "\(indent)\"\"\"\(fence))\n"
        source += "    let expected = [\n"
        for answer in answers { source += "        \(fence)\"\(answer)\"\(fence),\n" }
        return source + """
                ]
                let answers = try log.answers()
                Attachment.record(log.bytes, named: "log.jsonl")
                Attachment.record(answers.joined(separator: "\\n"), named: "answers.jsonl")
                #expect(answers == expected)
            }

            """
    }

    /// The length of the longest run of number signs.
    private static func longestFence(in lines: [String]) -> Int {
        var longest = 0
        for line in lines {
            var run = 0
            for byte in line.utf8 {
                run = byte == UInt8(ascii: "#") ? run + 1 : 0
                longest = max(longest, run)
            }
        }
        return longest
    }
}
