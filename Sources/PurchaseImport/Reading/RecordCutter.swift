import PurchaseEvents
import PurchaseSignatures

/// Cuts a file into records: JSON values, lines with a JWS, and receipts.
///
/// After unreadable bytes, reading resumes at the next line that begins with an object or a JWS, so
/// a torn or foreign line costs only itself. A malformed array of documents costs the rest of the
/// file. Memory grows with the largest record, not with the file.
///
/// Scans no byte more than a few times: a value that is nested too deep or too large costs all its
/// lines, and an object inside a value that doesn't end has the problem of that value.
struct RecordCutter {
    static let largestRecord = 64 << 20
    /// The size in bytes above which an array is read element by element; of a smaller one that is
    /// torn, nothing is imported.
    static let largestArray = 8 << 20

    private let input: InputBuffer
    private let largestArray: Int
    /// Whether the position is inside an array that is read element by element.
    private var isInArray = false
    private var isFirst = true
    /// The last value that didn't end: its problem, and where the values inside it begin that don't
    /// end for the same reason.
    private var unended: Unended?

    private struct Unended {
        var starts: [Int]
        var message: String
        /// The place of the problem, and the number of bytes before it.
        var place: FilePlace, passed: Int
    }

    init(_ source: any ByteSource, largestArray: Int = RecordCutter.largestArray) {
        input = InputBuffer(source)
        self.largestArray = largestArray
    }

    var readBytes: Int { input.passed }

    mutating func next() throws(ReadProblem) -> FilePart? {
        if isFirst {
            isFirst = false
            if try input.byte() == 0x30, let second = try input.byte(1), second >= 0x80 {
                return try receipt()
            }
            if try input.byte() == 0xEF, try input.byte(1) == 0xBB, try input.byte(2) == 0xBF {
                input.advance(3)
            }
        }
        try skipSpaces()
        if isInArray { return try element() }
        guard let byte = try input.byte() else { return nil }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "\""): return try value()
        case UInt8(ascii: "["): return try value(isArray: true)
        case _: return try line()
        }
    }

    private func skipSpaces() throws(ReadProblem) {
        while try input.byte() != nil {
            let spaces = input.withBytes { bytes in
                bytes.firstIndex { !JSONReader.isSpace($0) } ?? bytes.count
            }
            input.advance(spaces)
            if input.count > 0 { return }
        }
    }

    // MARK: JSON

    private mutating func value(isArray: Bool = false) throws(ReadProblem) -> FilePart {
        if let problem = try unendedProblem() { return problem }
        let limit = isArray ? largestArray : RecordCutter.largestRecord
        var extent = JSONExtent()
        var scanned = 0
        while true {
            switch input.withBytes({ extent.scan($0, from: scanned) }) {
            case .closed(let end):
                guard end <= RecordCutter.largestRecord else { return try tooLarge(end) }
                return record(.json, end)
            case .broken(let offset): return try problem(at: offset, of: extent)
            case .open: break
            }
            scanned = input.count
            if scanned > limit { return try isArray ? openArray() : tooLarge(scanned) }
            if try !input.readMore() { return try problem(at: scanned, of: extent) }
        }
    }

    /// The problem of the value at the position if a value around it didn't end, so that this one
    /// doesn't end either.
    private mutating func unendedProblem() throws(ReadProblem) -> FilePart? {
        guard let unended, unended.starts.contains(input.passed) else { return nil }
        let start = input.place
        // A problem before this value, such as a byte that isn't UTF-8, isn't a problem of it.
        let isEarlier = unended.passed < input.passed
        let last = try skip(toEnd: false)
        return .problem(
            message: isEarlier ? "expected the end of the value, seen none" : unended.message,
            at: isEarlier ? start : unended.place, lines: start.line...last)
    }

    /// Begins to read an array element by element; returns its first element.
    private mutating func openArray() throws(ReadProblem) -> FilePart {
        input.advance(1)
        isInArray = true
        try skipSpaces()
        return try value(isArray: false)
    }

    /// Reads the next element of an array that is read element by element, or the end of the array.
    private mutating func element() throws(ReadProblem) -> FilePart? {
        let next = try input.byte()
        if next == UInt8(ascii: "]") {
            input.advance(1)
            isInArray = false
            return try self.next()
        }
        guard next == UInt8(ascii: ",") else { return try endArray("expected `,` or `]`") }
        input.advance(1)
        try skipSpaces()
        let byte = try input.byte()
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "\"") else {
            return try endArray("expected an object or a text as the next element of the array")
        }
        return try value()
    }

    /// Stops reading a malformed array; earlier elements stay imported.
    private mutating func endArray(_ message: String) throws(ReadProblem) -> FilePart {
        let start = input.place
        isInArray = false
        let last = try skip(toEnd: true)
        return .problem(message: message, at: start, lines: start.line...last)
    }

    private func record(_ form: RawRecord.Form, _ count: Int) -> FilePart {
        let place = input.place
        return .record(RawRecord(form: form, bytes: input.take(count), place: place))
    }

    // MARK: Lines

    /// Reads a line that doesn't begin with an object, an array or a string: a JWS, a receipt, a
    /// number, or foreign text.
    private mutating func line() throws(ReadProblem) -> FilePart {
        var count = try input.lengthOfLine(limit: RecordCutter.largestRecord + 1)
        guard count <= RecordCutter.largestRecord else { return try tooLarge() }
        while count > 0, JSONReader.isSpace(input.rest[input.rest.startIndex + count - 1]) {
            count -= 1
        }
        let line = input.rest.prefix(count)
        if RecordCutter.beginsJWS(line) { return record(.text, count) }
        if Base64Lines.beginReceipt(line) { return try base64Receipt() }
        guard JSONReader.firstProblem(in: Array(line)) == nil else {
            return try problem(at: count, in: Array(line))
        }
        return record(.json, count)
    }

    /// Whether a text begins like a compact JWS, or like an object in base64: a brace and then a
    /// quote or white space.
    static func beginsJWS(_ text: some Sequence<UInt8>) -> Bool {
        let head = Array(text.prefix(4))
        if head.starts(with: "eyJ".utf8) { return true }
        guard head.count == 4, let bytes = try? Base64.decodeURL(head[...]) else { return false }
        return bytes[0] == UInt8(ascii: "{")
            && (bytes[1] == UInt8(ascii: "\"") || JSONReader.isSpace(bytes[1]))
    }

    private mutating func base64Receipt() throws(ReadProblem) -> FilePart {
        var lines = Base64Lines()
        var count = 0
        while try input.byte(count) != nil {
            let end = try input.lengthOfLine(from: count, limit: RecordCutter.largestRecord)
            let start = input.rest.startIndex
            guard end < RecordCutter.largestRecord,
                lines.take(input.rest[(start + count)..<(start + end)])
            else { break }
            count = end + 1
        }
        // Without a line there is no progress: reading would never end.
        guard count > 0 else { return try tooLarge() }
        return record(.base64Receipt, min(count, input.count))
    }

    private mutating func receipt() throws(ReadProblem) -> FilePart {
        while try input.readMore() {
            if input.count > RecordCutter.largestRecord { return try tooLarge() }
        }
        return record(.receipt, input.count)
    }

    // MARK: Problems

    /// Skips a malformed JSON value and returns its problem, at an offset from the position;
    /// `extent` is that of the value, or `nil` for a line.
    private mutating func problem(
        at offset: Int, of extent: JSONExtent? = nil, in known: [UInt8]? = nil
    ) throws(ReadProblem) -> FilePart {
        let start = input.place
        let end = try input.lengthOfLine(from: offset, limit: offset + InputBuffer.portion)
        let bytes = known ?? Array(input.rest.prefix(end + 1))
        let found =
            JSONReader.firstProblem(in: bytes)
            ?? JSONProblem(offset: min(offset, bytes.count), message: "expected a JSON value")
        let message = LegacyReceipt.isBegun(by: bytes) ? LegacyReceipt.message : found.message
        let place = start.advanced(over: bytes.prefix(found.offset))
        let isTooDeep = extent?.isTooDeep == true
        if let extent, !isTooDeep {
            unended = Unended(
                starts: extent.openStarts.map { input.passed + $0 }, message: message,
                place: place, passed: input.passed + found.offset)
        }
        // The end of an incomplete array of documents can't be found.
        let isArray = JSONReader.opensDocuments(bytes[...])
        let last = try skip(toEnd: isArray || isInArray, past: isTooDeep ? offset + 1 : 0)
        isInArray = false
        return .problem(message: message, at: place, lines: start.line...last)
    }

    /// Skips a value or a line that is too large; `count` of its bytes are known to belong to it.
    private mutating func tooLarge(_ count: Int = 0) throws(ReadProblem) -> FilePart {
        let start = input.place
        isInArray = false
        return .tooLarge(at: start, lastLine: try skip(toEnd: false, past: count))
    }

    /// Skips at least `count` bytes, and then to the next line that begins with an object or a JWS,
    /// or to the end; returns the last skipped line that isn't blank.
    private mutating func skip(toEnd: Bool, past count: Int = 0) throws(ReadProblem) -> Int {
        let least = input.passed + count
        var last = input.place.line
        while true {
            // A line may not fit in memory.
            let count = try input.lengthOfLine(limit: InputBuffer.portion)
            let isBlank = input.rest.prefix(count).allSatisfy { JSONReader.isSpace($0) }
            if !isBlank { last = input.place.line }
            let isLineEnd = try input.byte(count) == UInt8(ascii: "\n")
            input.advance(isLineEnd ? count + 1 : count)
            guard let next = try input.byte() else { return last }
            guard isLineEnd, !toEnd, input.passed >= least else { continue }
            if next == UInt8(ascii: "{") { return last }
            if next == UInt8(ascii: "e"), try input.byte(1) == UInt8(ascii: "y"),
                try input.byte(2) == UInt8(ascii: "J")
            {
                return last
            }
        }
    }
}
