import PurchaseEvents
import Testing

@testable import PurchaseImport

/// Arrays that are read element by element, here from 500 bytes on.
struct RecordCutterTests {
    private static let element = #"{"a":"\#(String(repeating: "x", count: 1_000))"}"#

    /// The parts of a file: the line at which each record begins, or the message of a problem.
    private func parts(_ text: String) throws -> [String] {
        var cutter = RecordCutter(MemorySource(Array(text.utf8)), largestArray: 500)
        var parts: [String] = []
        while let part = try cutter.next() {
            switch part {
            case .record(let record): parts.append("\(record.place.line)")
            case .problem(let message, let place, let lines):
                parts.append("\(message) at \(place.line), of \(lines)")
            case .badRow, .tooLarge: parts.append("another part")
            }
        }
        return parts
    }

    private func array(_ count: Int, _ end: String) -> String {
        "[" + Array(repeating: Self.element, count: count).joined(separator: ",\n") + end
    }

    @Test func `each element is a record, and so is what follows the array`() throws {
        let lines = (1...1_200).map { "\($0)" }
        #expect(try parts(array(1_200, "]\n{}")) == lines + ["1201"])
        #expect(try parts(array(1_200, "\n]")) == lines)
    }

    @Test func `a malformed element costs the rest of the file, and no element before it`() throws {
        let lines = (1...1_200).map { "\($0)" }
        #expect(
            try parts(array(1_200, ",\n7]\n{}")) == lines + [
                "expected an object or a text as the next element of the array at 1201, "
                    + "of 1201...1202"
            ])
        #expect(
            try parts(array(1_200, "\n{}]\n{}")) == lines + [
                "expected `,` or `]` at 1201, of 1201...1202"
            ])
    }
}
