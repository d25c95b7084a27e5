@testable import PurchaseEvents
@testable import PurchaseImport

/// Any bytes, as the JSON of a file to import: each value is read or is a problem with a place in
/// the bytes, and the portions that a file comes in don't move the end of its first value.
enum JSONFuzz {
    static func run(_ input: UnsafeRawBufferPointer) {
        let bytes = Array(input)
        var (documents, isEmptyArray, problems, values, end) = (0, false, 0, 0, 0)
        JSONReader.read(bytes) { part in
            switch part {
            case .document(let value):
                precondition((end..<bytes.count).contains(value.offset), "in the file's order")
                (documents, end) = (documents + 1, value.offset + 1)
                values += count(value)
            case .emptyArray(let offset):
                precondition(bytes[offset] == UInt8(ascii: "["), "an array begins there")
                isEmptyArray = true
            case .problem(let problem, let lost):
                check(problem, bytes)
                precondition(lost.upperBound <= bytes.count, "only bytes of the file are lost")
                problems += 1
            }
        }
        precondition(values <= bytes.count, "no more values than bytes")
        if let problem = JSONReader.firstProblem(in: bytes) {
            check(problem, bytes)
            precondition(problems > 0, "whoever reads the values meets the problem")
        }
        let progress = extent(of: input, portion: bytes.count)
        let pieces = extent(of: input, portion: 1 + bytes.count % 7)
        precondition(progress == pieces, "portions change nothing")
        do throws(JSONProblem) {
            let value = try JSONReader.document(bytes)
            precondition(problems == 0, "one value, and no problem in it")
            precondition(
                documents == (value.elements?.count ?? 1) && isEmptyArray == (documents == 0),
                "the value, or the elements of the array")
            checkEnd(progress, of: value, in: bytes)
        } catch {
            check(error, bytes)
        }
    }

    /// The progress after the bytes, which come in portions.
    private static func extent(
        of bytes: UnsafeRawBufferPointer, portion: Int
    ) -> JSONExtent.Progress {
        var (extent, known) = (JSONExtent(), 0)
        while known < bytes.count {
            let next = min(bytes.count, known + portion)
            let portion = UnsafeRawBufferPointer(rebasing: bytes[..<next])
            let progress = extent.scan(portion, from: known)
            if progress != .open { return progress }
            known = next
        }
        return .open
    }

    /// An object, an array or a text ends where its last byte is; spaces may follow.
    private static func checkEnd(
        _ progress: JSONExtent.Progress, of value: JSONValue, in bytes: [UInt8]
    ) {
        // A byte order mark comes before the value, and whoever asks for the extent skips it.
        guard value.members != nil || value.elements != nil || value.isText, bytes[0] != 0xEF
        else { return }
        let end = (bytes.lastIndex { !JSONReader.isSpace($0) } ?? -1) + 1
        precondition(progress == .closed(end), "the extent of the value is the value")
    }

    private static func count(_ value: JSONValue) -> Int {
        let inner = value.elements ?? value.members.map { $0.map(\.value) } ?? []
        return inner.reduce(1) { $0 + count($1) }
    }

    private static func check(_ problem: JSONProblem, _ bytes: [UInt8]) {
        precondition((0...bytes.count).contains(problem.offset), "a place in the bytes")
        precondition(
            !problem.message.unicodeScalars.contains(where: EscapedText.isUnsafe), "safe to print")
    }
}
