/// Scans a line in any form that JSON allows, one byte at a time, and explains any error.
struct CarefulScanner {
    private let line: UnsafeRawBufferPointer
    private var position: Int
    /// The open containers, outermost first: `true` for an object.
    private var open: [Bool] = []
    /// The keys of each open object, to detect duplicates.
    private var keys: [SeenKeys] = []
    private var duplicate: Diagnostic?

    static func scan(
        _ line: UnsafeRawBufferPointer, from start: Int, into tokens: inout Tokens
    ) throws(Diagnostic) {
        try UTF8Check.check(line)
        var scanner = CarefulScanner(line: line, position: start)
        try scanner.scanLine(into: &tokens)
    }

    private mutating func scanLine(into tokens: inout Tokens) throws(Diagnostic) {
        skipSpace()
        let start = position
        let isObject = peek("{")
        if isObject {
            try scanTopObject(into: &tokens)
        } else {
            _ = try scanValue(into: &tokens)
        }
        skipSpace()
        guard position == line.count else { throw notJSON("the end of the line") }
        guard isObject else {
            throw Diagnostic(
                .notAnObject, byte: start + 1, "expected an object, seen \(excerpt(at: start))")
        }
        if let duplicate { throw duplicate }
    }

    private mutating func scanTopObject(into tokens: inout Tokens) throws(Diagnostic) {
        position += 1
        keys.append(SeenKeys())
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            let start = position
            let name = try scanKey(into: &tokens)
            let count = position - start
            skipSpace()
            guard take(":") else { throw notJSON("a colon") }
            skipSpace()
            let token = try scanValue(into: &tokens)
            let key = name.withUnsafeBytes { Key.names.find($0) }
            if let key {
                if tokens.present.insert(key) { tokens[key] = token }
            } else {
                tokens.unknown.append((start, count))
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw notJSON("a comma or the end of the object") }
    }

    /// Scans a value; nested containers don't recurse.
    private mutating func scanValue(into tokens: inout Tokens) throws(Diagnostic) -> Token {
        let start = position
        let scratchStart = tokens.scratch.count
        let form = try scanScalarOrOpen(into: &tokens)
        if form == .container { while !open.isEmpty { try scanInside(into: &tokens) } }
        let scratchEnd = form == .escapedString ? tokens.scratch.end(stringFrom: scratchStart) : 0
        return Token(start: start, count: position - start, scratchEnd: scratchEnd, form: form)
    }

    /// Scans one step inside the innermost open container: a member and its separators, or the end.
    private mutating func scanInside(into tokens: inout Tokens) throws(Diagnostic) {
        skipSpace()
        let isObject = open[open.count - 1]
        let opened = wasOpened
        if take(isObject ? "}" : "]") {
            close()
            return
        }
        if !opened {
            guard take(",") else {
                throw notJSON(
                    isObject
                        ? "a comma or the end of the object"
                        : "a comma or the end of the array")
            }
            skipSpace()
        }
        wasOpened = false
        if isObject {
            _ = try scanKey(into: &tokens)
            skipSpace()
            guard take(":") else { throw notJSON("a colon") }
            skipSpace()
        }
        _ = try scanScalarOrOpen(into: &tokens)
    }

    /// Whether the innermost container was just opened, so no comma is expected.
    private var wasOpened = false

    private mutating func close() {
        if open.removeLast() { keys.removeLast() }
        wasOpened = false
    }

    private mutating func scanScalarOrOpen(
        into tokens: inout Tokens
    ) throws(Diagnostic) -> TokenForm {
        guard position < line.count else { throw notJSON("a value") }
        switch line[position] {
        case UInt8(ascii: "\""): return try scanString(into: &tokens)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = take("{")
            if isObject { keys.append(SeenKeys()) } else { position += 1 }
            open.append(isObject)
            wasOpened = true
            return .container
        case UInt8(ascii: "t"): return try scanWord("true", .yes)
        case UInt8(ascii: "f"): return try scanWord("false", .no)
        case UInt8(ascii: "n"): return try scanWord("null", .null)
        case _: return try scanNumber(into: &tokens)
        }
    }

    private mutating func scanWord(
        _ word: StaticString, _ form: TokenForm
    ) throws(Diagnostic) -> TokenForm {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < line.count, line[position] == word.utf8Start[index] else {
                throw notJSON("\(word)")
            }
            position += 1
        }
        return form
    }

    /// Scans a number; records the first that the format doesn't allow, if no field reports it.
    private mutating func scanNumber(into tokens: inout Tokens) throws(Diagnostic) -> TokenForm {
        let start = position
        _ = take("-")
        let first = position
        guard skipDigits() > 0 else { throw notJSON("a value") }
        if line[first] == UInt8(ascii: "0"), position - first > 1 {
            position = first + 1
            throw notJSON("no digit after a leading zero")
        }
        var form = TokenForm.integer
        if take(".") {
            guard skipDigits() > 0 else { throw notJSON("a digit") }
            form = .fraction
        }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            guard skipDigits() > 0 else { throw notJSON("a digit") }
            form = .fraction
        }
        if tokens.wrongNumber == nil {
            let text = UnsafeRawBufferPointer(rebasing: line[start..<position])
            tokens.wrongNumber = Expectation.ofNumber(text, form).map { code, expected in
                let seen = "seen `\(EscapedText.excerpt(text, limit: 20))`"
                return Diagnostic(code, byte: start + 1, "expected \(expected.words), \(seen)")
            }
        }
        return form
    }

    private mutating func skipDigits() -> Int {
        let first = position
        while position < line.count, line[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
        return position - first
    }

    /// Scans a key of an object and returns it unescaped; records a duplicate.
    private mutating func scanKey(into tokens: inout Tokens) throws(Diagnostic) -> [UInt8] {
        let start = position
        guard peek("\"") else { throw notJSON("a key") }
        let scratchStart = tokens.scratch.count
        let isEscaped = try scanString(into: &tokens) == .escapedString
        let key =
            isEscaped
            ? Array(tokens.scratch.bytes[scratchStart...])
            : Array(line[start + 1..<position - 1])
        tokens.scratch.cut(to: scratchStart)
        if !keys[keys.count - 1].insert(key), duplicate == nil {
            let name = key.withUnsafeBytes { EscapedText.excerpt($0) }
            duplicate = Diagnostic(
                .duplicateKey, byte: start + 1, "the key `\(name)` appears twice in its object")
        }
        return key
    }

    /// Scans a string; if it has escapes, its unescaped bytes go to the scratch.
    private mutating func scanString(into tokens: inout Tokens) throws(Diagnostic) -> TokenForm {
        position += 1
        let start = position
        var isEscaped = false
        while position < line.count {
            let byte = line[position]
            if byte == UInt8(ascii: "\"") {
                position += 1
                return isEscaped ? .escapedString : .string
            }
            guard byte >= 0x20 else { throw notJSON("no control character in a string") }
            if byte == UInt8(ascii: "\\") {
                if !isEscaped { tokens.scratch.append(line[start..<position]) }
                isEscaped = true
                try unescape(into: &tokens.scratch)
            } else {
                if isEscaped { tokens.scratch.append(byte) }
                position += 1
            }
        }
        throw notJSON("the end of the string")
    }

    private mutating func unescape(into scratch: inout Scratch) throws(Diagnostic) {
        let start = position
        position += 1
        guard position < line.count else { throw notJSON("an escape") }
        if peek("u") { return try unescapeUnit(start, into: &scratch) }
        guard let meant = JSONReader.escapes[line[position]] else { throw notJSON("an escape") }
        scratch.append(meant)
        position += 1
    }

    private mutating func unescapeUnit(
        _ start: Int, into scratch: inout Scratch
    ) throws(Diagnostic) {
        position += 1
        var value = try scanHex()
        if (0xD800...0xDFFF).contains(value) {
            let isHigh = value < 0xDC00
            guard isHigh, position + 1 < line.count, line[position] == UInt8(ascii: "\\"),
                line[position + 1] == UInt8(ascii: "u")
            else { throw loneSurrogate(start) }
            position += 2
            let low = try scanHex()
            guard (0xDC00...0xDFFF).contains(low) else { throw loneSurrogate(start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(start) }
        scratch.append(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func scanHex() throws(Diagnostic) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard position < line.count,
                let digit = Character(Unicode.Scalar(line[position])).hexDigitValue,
                line[position] < 0x80
            else { throw notJSON("four hex digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func loneSurrogate(_ start: Int) -> Diagnostic {
        Diagnostic(
            .notUTF8, byte: start + 1,
            "expected both halves of a surrogate pair, seen \(excerpt(at: start))")
    }

    private mutating func skipSpace() {
        while position < line.count, JSONReader.isSpace(line[position]) { position += 1 }
    }

    private func peek(_ mark: Unicode.Scalar) -> Bool {
        position < line.count && line[position] == UInt8(ascii: mark)
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek(mark) else { return false }
        position += 1
        return true
    }

    private func notJSON(_ expected: String) -> Diagnostic {
        let seen = position < line.count ? excerpt(at: position) : "the end of the line"
        return Diagnostic(.notJSON, byte: position + 1, "expected \(expected), seen \(seen)")
    }

    private func excerpt(at place: Int) -> String {
        "`\(EscapedText.excerpt(UnsafeRawBufferPointer(rebasing: line[place...]), limit: 20))`"
    }
}
