/// Where bytes are no JSON, and what was expected there; what stood there is not told, since it may
/// be part of a secret.
struct JSONProblem: Error, Hashable {
    /// The byte at fault, counted from 0 at the start of the file.
    var offset: Int
    /// What was expected.
    var message: String
}

/// Reads the JSON values of a file that is imported (RFC 8259), each with its place.
///
/// It is not the reader of logs: it builds a tree of one document at a time, and costs two passes
/// and one allocation a value.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0
    /// Whether what is read is kept; otherwise it is only held to be JSON.
    private var isBuilding = false

    /// Arrays and objects may lie this deep in each other.
    static let maximumDepth = 128

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// What a file holds, in its order.
    enum Part {
        /// A value, or an element of an array that lies in no other.
        case document(JSONValue)
        /// An array that lies in no other, and has no elements.
        case emptyArray(offset: Int)
        case problem(JSONProblem)
    }

    /// Visits what a file holds: one value, or several in a row, with or without ends of line
    /// between them. Of a value that isn't whole, nothing is visited.
    ///
    /// After a line that is no JSON, reading goes on with the next line that opens an object, so
    /// that one torn line of many costs that line alone.
    static func read(_ bytes: [UInt8], _ visit: (Part) -> Void) {
        if let problem = encodingProblem(in: bytes) { return visit(.problem(problem)) }
        var reader = JSONReader(bytes)
        reader.skipSpaces()
        while !reader.isAtEnd {
            let start = reader.position
            var checker = reader
            do throws(JSONProblem) {
                _ = try checker.value()
                reader.isBuilding = true
                try reader.documents(visit)
                reader.isBuilding = false
                reader.skipSpaces()
            } catch {
                visit(.problem(error))
                guard reader.resume(afterLineAt: start) else { break }
            }
        }
    }

    /// Visits a value, or the elements of the array that it is.
    private mutating func documents(_ visit: (Part) -> Void) throws(JSONProblem) {
        let start = position
        guard current == UInt8(ascii: "[") else { return visit(.document(try value())) }
        var isEmpty = true
        try elements { element in
            isEmpty = false
            visit(.document(element))
        }
        if isEmpty { visit(.emptyArray(offset: start)) }
    }

    private static func encodingProblem(in bytes: [UInt8]) -> JSONProblem? {
        bytes.withUnsafeBytes { raw in
            do throws(Diagnostic) {
                try UTF8Check.check(raw)
                return nil
            } catch {
                return JSONProblem(offset: error.byte - 1, message: error.message)
            }
        }
    }

    private var isAtEnd: Bool { position >= bytes.count }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpaces() {
        while let byte = current, byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D {
            position += 1
        }
    }

    /// Goes to the line after the one at `start`, where both open an object; `false` otherwise.
    private mutating func resume(afterLineAt start: Int) -> Bool {
        guard bytes[start] == UInt8(ascii: "{"),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
        else { return false }
        position = end
        depth = 0
        skipSpaces()
        return current == UInt8(ascii: "{")
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
            throw problem("at most \(JSONReader.maximumDepth) values within each other")
        }
        position += 1
        skipSpaces()
    }

    private mutating func array() throws(JSONProblem) -> [JSONValue] {
        let isBuilding = isBuilding
        var all: [JSONValue] = []
        try elements { if isBuilding { all.append($0) } }
        return all
    }

    /// Visits the elements of the array that begins here.
    private mutating func elements(_ visit: (JSONValue) -> Void) throws(JSONProblem) {
        try descend()
        defer { depth -= 1 }
        if take("]") { return }
        while true {
            visit(try value())
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

    /// Digits, a fraction and an exponent as RFC 8259 writes them; the text is kept.
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
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &text)
            case 0x00..<0x20: throw problem("`\"`, or a control character as an escape")
            case _:
                text.append(byte)
                position += 1
            }
        }
        throw problem("`\"`")
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// Reads what follows a backslash; half of a surrogate pair becomes U+FFFD.
    private mutating func escape(into text: inout [UInt8]) throws(JSONProblem) {
        if let byte = current, let meant = JSONReader.escapes[byte] {
            text.append(meant)
            position += 1
            return
        }
        guard take("u") else { throw problem("an escape that JSON has") }
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
