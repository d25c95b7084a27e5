import TestSupport
import Testing

@testable import PurchaseEvents

struct EventLogErrorTests {
    @Test func `each error says the place, what was seen and what to do`() throws {
        let io = SystemError(code: 5)
        let files = LogSamples.files(LogSamples.log("a") + "torn")
        let torn = #expect(throws: EventLogError.self) { try LogSamples.open(in: files) }
        #expect(
            torn?.description
                == "`folder/app.jsonl`, line 3, byte 146 of the file: expected an end of line, "
                + "seen 4 bytes of an incomplete line, which no writer acknowledged; cut them off "
                + "(`tornTail: .cut` or `replay recover` keeps them in a file beside the log)")
        let problem = WritingProblem(.text, seen: "5000 bytes", .textLength)
        let path = "a\u{1B}[31m"
        let damage = LogProblem(
            position: .start, kind: .diagnostic(Diagnostic(.notJSON, byte: 3, "seen ?")))
        let errors: [EventLogError] = [
            .noSuchLog(path: path), .alreadyExists(path: path),
            .notARegularFile(path: path, seen: .folder), .inUse(path: path, processID: 12),
            .inUse(path: path, processID: nil),
            .newerSchema(path: path, Diagnostic(.newerSchema, byte: 3, "seen 2")),
            .empty(path: path), .notALineStart(path: path, offset: 9),
            .shrank(path: path, read: 10, size: 1), .closed(path: path),
            .latched(path: path, io), .cannotWrite(draft: 0, problem), .openedAgain(draft: 0),
            .idConflict(draft: 0, id: path, seq: 3), .unexpectedSequence(expected: 1, seen: 2),
            .changedOutside(path: path, expected: 1, seen: nil),
            .changedOutside(path: path, expected: 1, seen: 2), .writeFailed(path: path, io),
            .syncFailed(path: path, io), .notSegmented(path: path), .damaged(path: path, damage),
            .failed(.read, path: path, io),
        ]
        let texts = errors.map(\.description)
        #expect(Set(texts).count == errors.count)
        for text in texts {
            #expect(!text.contains("\u{1B}"))
            #expect(!text.hasSuffix("."))
            #expect(text.first?.isUppercase == false)
        }
        #expect(texts[2].contains("a regular file, or a folder of segments"))
        #expect(texts[3].contains("process 12"))
    }

    @Test func `a system error without a text shows its number`() {
        #expect(SystemError(code: 9_999).description == "operating system error 9999")
        #expect(SystemError(code: 5).description == "input or output error")
    }
}
