/// The place where bytes aren't JSON, and what was expected there; no text is shown, because it may
/// be secret.
package struct JSONProblem: Error, Hashable {
    /// The offset of the byte with the problem, counted from 0 at the start of the file.
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

/// Reads the JSON values (RFC 8259) of an imported file, each with its offset.
///
/// Logs are read by ``LogReader`` instead: this reader builds a tree for one document at a time,
/// and needs two passes and one allocation per value.
package struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    /// Whether to build values; otherwise the bytes are only validated.
    private var isBuilding = false

    package static let maximumDepth = 128

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    package enum Part {
        /// A value, or an element of a top-level array.
        case document(JSONValue)
        case emptyArray(offset: Int)
        /// A problem, and the range of bytes skipped because of it.
        case problem(JSONProblem, lost: Range<Int>)
    }

    /// Visits each value of a file, whether or not newlines separate the values; an incomplete
    /// value isn't visited.
    ///
    /// After bytes that aren't JSON, reading resumes at the next line that begins with an object,
    /// so that one torn or foreign line costs only that line. Bytes that aren't UTF-8 cost only the
    /// document that contains them.
    package static func read(_ bytes: [UInt8], _ visit: (Part) -> Void) {
        var reader = JSONReader(bytes)
        reader.skipSpaces()
        while !reader.isAtEnd {
            let start = reader.position
            var checker = reader
            do throws(JSONProblem) {
                let value = try checker.value()
                try checker.checkEnd(of: value)
                reader.isBuilding = true
                try reader.documents(visit)
                reader.isBuilding = false
                reader.skipSpaces()
            } catch {
                let first = reader.first(error, from: start)
                visit(.problem(first, lost: reader.resume(afterLineAt: start)))
            }
        }
    }

    package static func document(_ bytes: [UInt8]) throws(JSONProblem) -> JSONValue {
        if let problem = encodingProblem(in: 0..<bytes.count, of: bytes) { throw problem }
        var reader = JSONReader(bytes)
        reader.isBuilding = true
        let document = try reader.value()
        reader.skipSpaces()
        guard reader.isAtEnd else {
            throw JSONProblem(offset: reader.position, message: "expected nothing after the value")
        }
        return document
    }

    /// The first problem in bytes that should hold JSON values in a row, or `nil` if they do.
    package static func firstProblem(in bytes: [UInt8]) -> JSONProblem? {
        var reader = JSONReader(bytes)
        reader.skipSpaces()
        while !reader.isAtEnd {
            let start = reader.position
            do throws(JSONProblem) {
                let value = try reader.value()
                try reader.checkEnd(of: value)
                reader.skipSpaces()
            } catch {
                return reader.first(error, from: start)
            }
        }
        return nil
    }

    /// The first problem of the value that begins at `start`: this one, or bytes before it that
    /// aren't UTF-8.
    private func first(_ problem: JSONProblem, from start: Int) -> JSONProblem {
        let lineEnd = bytes[problem.offset...].firstIndex(of: UInt8(ascii: "\n"))
        let encoding = JSONReader.encodingProblem(in: start..<(lineEnd ?? bytes.count), of: bytes)
        return encoding.flatMap { $0.offset <= problem.offset ? $0 : nil } ?? problem
    }

    private mutating func documents(_ visit: (Part) -> Void) throws(JSONProblem) {
        let start = position
        let bytes = bytes
        func visitDocument(_ document: JSONValue, endingAt end: Int) {
            let place = document.offset..<end
            if let problem = JSONReader.encodingProblem(in: place, of: bytes) {
                visit(.problem(problem, lost: place))
            } else {
                visit(.document(document))
            }
        }
        guard current == UInt8(ascii: "[") else {
            let document = try value()
            return visitDocument(document, endingAt: position)
        }
        var isEmpty = true
        try elements { element, end in
            isEmpty = false
            visitDocument(element, endingAt: end)
        }
        if isEmpty { visit(.emptyArray(offset: start)) }
    }

    /// Checks that a space follows a scalar value; otherwise the date at the start of a foreign
    /// line would pass for several numbers.
    private func checkEnd(of value: JSONValue) throws(JSONProblem) {
        switch value.content {
        case .object, .array: return
        case .null, .flag, .number, .string:
            guard let byte = current, !JSONReader.isSpace(byte) else { return }
            throw problem("a space or an end of line")
        }
    }

    private static func encodingProblem(in range: Range<Int>, of bytes: [UInt8]) -> JSONProblem? {
        bytes.withUnsafeBytes { raw in
            do throws(Diagnostic) {
                try UTF8Check.check(UnsafeRawBufferPointer(rebasing: raw[range]))
                return nil
            } catch {
                return JSONProblem(
                    offset: range.lowerBound + error.byte - 1, message: error.message)
            }
        }
    }

    private var isAtEnd: Bool { position >= bytes.count }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    @inlinable
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private mutating func skipSpaces() {
        while let byte = current, JSONReader.isSpace(byte) { position += 1 }
    }

    /// Skips to the next line that begins with an object, and returns the skipped range. An
    /// incomplete array of documents is skipped whole, because its lines may begin with objects.
    private mutating func resume(afterLineAt start: Int) -> Range<Int> {
        depth = 0
        var next = JSONReader.opensDocuments(bytes[start...]) ? bytes.count : start
        while next < bytes.count {
            next = bytes[next...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
            if next < bytes.count, bytes[next] == UInt8(ascii: "{") { break }
        }
        position = next
        var end = next
        while end > start + 1, JSONReader.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    /// Whether an array starts here whose first element is an object.
    package static func opensDocuments(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == UInt8(ascii: "[")
            && bytes.dropFirst().first { !isSpace($0) } == UInt8(ascii: "{")
    }

    private func problem(_ expected: String) -> JSONProblem {
        let seen = isAtEnd ? ", seen the end of the file" : ""
        return JSONProblem(offset: position, message: "expected \(expected)\(seen)")
    }

    private mutating func value() throws(JSONProblem) -> JSONValue {
        skipSpaces()
        let start = position
        guard let first = current else { throw problem("a JSON value") }
        let content: JSONValue.Content
        switch first {
        case UInt8(ascii: "{"): content = .object(try object())
        case UInt8(ascii: "["): content = .array(try array())
        case UInt8(ascii: "\""): content = .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            content = .number(try number())
        case UInt8(ascii: "t"): content = try word("true", .flag(true))
        case UInt8(ascii: "f"): content = try word("false", .flag(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        case _: throw problem("a JSON value")
        }
        return JSONValue(content: content, offset: start)
    }

    private mutating func word(
        _ word: String, _ content: JSONValue.Content
    ) throws(JSONProblem) -> JSONValue.Content {
        guard bytes[position...].starts(with: word.utf8) else { throw problem("a JSON value") }
        position += word.utf8.count
        return content
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func descend() throws(JSONProblem) {
        depth += 1
        guard depth <= JSONReader.maximumDepth else {
            throw problem("at most \(JSONReader.maximumDepth) nested values")
        }
        position += 1
        skipSpaces()
    }

    private mutating func array() throws(JSONProblem) -> [JSONValue] {
        let isBuilding = isBuilding
        var all: [JSONValue] = []
        try elements { element, _ in if isBuilding { all.append(element) } }
        return all
    }

    /// Visits the elements of the array that starts here, each with its end offset.
    private mutating func elements(_ visit: (JSONValue, _ end: Int) -> Void) throws(JSONProblem) {
        try descend()
        defer { depth -= 1 }
        if take("]") { return }
        while true {
            let element = try value()
            visit(element, position)
            skipSpaces()
            if take("]") { return }
            guard take(",") else { throw problem("`,` or `]`") }
        }
    }

    private mutating func object() throws(JSONProblem) -> [JSONValue.Member] {
        try descend()
        defer { depth -= 1 }
        var members: [JSONValue.Member] = []
        if take("}") { return members }
        while true {
            skipSpaces()
            guard current == UInt8(ascii: "\"") else { throw problem("a key in quotes") }
            let key = try string()
            skipSpaces()
            guard take(":") else { throw problem("`:`") }
            let member = JSONValue.Member(key: key, value: try value())
            if isBuilding { members.append(member) }
            skipSpaces()
            if take("}") { return members }
            guard take(",") else { throw problem("`,` or `}`") }
        }
    }

    /// Reads a number as RFC 8259 defines it, and keeps its text.
    private mutating func number() throws(JSONProblem) -> String {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONProblem) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw problem("a digit") }
    }

    private mutating func string() throws(JSONProblem) -> String {
        position += 1
        var text: [UInt8] = []
        while true {
            let end = JSONReader.endOfPlainText(in: bytes, from: position)
            // Most texts have no escape, so their bytes can be used as they are.
            if text.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: "\"") {
                defer { position = end + 1 }
                return isBuilding ? String(decoding: bytes[position..<end], as: UTF8.self) : ""
            }
            if isBuilding { text.append(contentsOf: bytes[position..<end]) }
            position = end
            guard let byte = current else { throw problem("`\"`") }
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case _: throw problem("`\"`, or a control character as an escape")
            }
        }
    }

    private static func endOfPlainText(in bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { endOfPlainText(in: $0, from: start) }
    }

    /// The offset of the first quote, backslash or control character from `start` on, or the end of
    /// the bytes if there is none.
    package static func endOfPlainText(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place &+ 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let controls = (word &- EightBytes.all(0x20)) & ~word & EightBytes.all(0x80)
            let marks =
                EightBytes.equal(to: UInt8(ascii: "\""), in: word)
                | EightBytes.equal(to: UInt8(ascii: "\\"), in: word)
            if controls | marks != 0 { break }
            place &+= 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            place &+= 1
        }
        return place
    }

    /// The bytes that short escapes stand for, by the byte after the backslash.
    static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Reads an escape after its backslash; half of a surrogate pair becomes U+FFFD.
    private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        if let byte = current, let meant = JSONReader.escapes[byte] {
            text.append(meant)
            position += 1
            return
        }
        guard take("u") else { throw problem("a JSON escape") }
        var code = UInt32(try hexDigits())
        if (0xD800..<0xDC00).contains(code), bytes[position...].starts(with: "\\u".utf8) {
            let afterFirst = position
            position += 2
            let second = UInt32(try hexDigits())
            if (0xDC00..<0xE000).contains(second) {
                code = 0x10000 + (code - 0xD800) << 10 + (second - 0xDC00)
            } else {
                position = afterFirst
            }
        }
        let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
        text.append(contentsOf: String(Character(scalar)).utf8)
    }

    private mutating func hexDigits() throws(JSONProblem) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let code = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem("four hex digits") }
        position += 4
        return code
    }
}
