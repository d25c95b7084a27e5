import Testing

@testable import PurchaseEvents

struct CheckpointTests {
    private let head = SHA256.hash([1])

    private func origin(_ app: String?) throws -> String? {
        let event = Event<Written>(
            seq: 1, at: Timestamp(milliseconds: 1_771_578_000_000),
            .logOpened(LogOpened(schema: 1, app: app)))
        return try LineWriter.line(of: event).withUnsafeBytes { Checkpoint.origin(firstLine: $0) }
    }

    private func problem(_ text: String) -> String? {
        do throws(CheckpointProblem) {
            _ = try Checkpoint(text.utf8)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a checkpoint can be read back from its three lines`() throws {
        for app in ["com.example.reader", "two words", "\u{202E}\n\u{9B}", "é", nil] {
            let origin = try #require(try origin(app))
            let checkpoint = Checkpoint(origin: origin, chain: Chain(head: head, lines: 64))
            #expect(checkpoint.text.split(separator: "\n").count == 3)
            #expect(
                !checkpoint.text.unicodeScalars.contains { $0 != "\n" && EscapedText.isUnsafe($0) })
            #expect(try Checkpoint(checkpoint.text.utf8) == checkpoint)
            #expect(try Checkpoint(checkpoint.text.dropLast().utf8) == checkpoint)
        }
        let longest = String(repeating: "\u{9B}", count: NameCheck.maximumTextLength / 2)
        let text = Checkpoint(
            origin: try #require(try origin(longest)), chain: Chain(head: head, lines: .max)
        ).text
        #expect(try Checkpoint(text.utf8).text == text)
    }

    @Test func `the origin of a checkpoint is the app and time of log.opened`() throws {
        #expect(try origin("com.example.reader") == "com.example.reader 2026-02-20T09:00:00.000Z")
        #expect(try origin(nil) == "2026-02-20T09:00:00.000Z")
        let noted = Array(#"{"seq":1,"at":"2026-02-20T09:00:00.000Z","type":"app.launched"}"#.utf8)
        #expect(noted.withUnsafeBytes { Checkpoint.origin(firstLine: $0) } == nil)
    }

    @Test func `an invalid checkpoint is reported with its line`() {
        let origin = "a 2026-02-20T09:00:00.000Z"
        let good = "\(origin)\n64\n\(head.hex)\n"
        #expect(problem(good) == nil)
        #expect(
            problem("")
                == "line 1: expected the app and the time of log.opened, seen the end of the text")
        #expect(
            problem("\(origin)\n")
                == "line 2: expected the number of lines, seen the end of the text")
        #expect(
            problem("\(origin)\n64\n")
                == "line 3: expected 64 lower-case hex digits, seen the end of the text")
        #expect(
            problem(good + "more\n") == "line 4: expected the end of the text, seen `more`")
        #expect(
            problem(#"{"seq":1}"# + "\n")
                == #"line 1: expected the app and the time of log.opened, seen `{"seq":1}`"#)
        #expect(
            problem("a\n64\n\(head.hex)\n")
                == "line 1: expected the app and the time of log.opened, seen `a`")
        for wrong in ["0", "-1", "064", "+64", "six", "", "99999999999999999999"] {
            #expect(
                problem("\(origin)\n\(wrong)\n\(head.hex)\n")
                    == "line 2: expected the number of lines, seen `\(wrong)`")
        }
        #expect(
            problem("\(origin)\n64\n\u{1B}[31m\n")
                == "line 3: expected 64 lower-case hex digits, seen `\\u001b[31m`")
        #expect(problem(good.uppercased())?.hasPrefix("line 3") == true)
        #expect(
            problem(String(repeating: "a", count: 100_000))
                == "line 1: expected a short UTF-8 text of three lines, seen `"
                + String(repeating: "a", count: 40) + "…`")
    }

    @Test func `bytes that aren't UTF-8 aren't a checkpoint`() {
        #expect(throws: CheckpointProblem.self) { try Checkpoint([0xFF, 0x0A]) }
    }
}
