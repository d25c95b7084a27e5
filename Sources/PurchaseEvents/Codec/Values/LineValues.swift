/// Converts the values of a scanned line on request, and keeps the first problem.
///
/// Reads don't throw: an error branch after each of some two hundred reads would be most of the
/// decoder's code. After the first problem the line has no more values: required reads return
/// placeholders, and the decoder discards the event.
struct LineValues {
    let line: UnsafeRawBufferPointer
    let scratch: UnsafeRawBufferPointer
    let tokens: UnsafePointer<Token>
    let isPlain: Bool
    let times: TimeCache
    /// The keys that the line has; empty after the first problem.
    private(set) var present: KeySet
    /// Whether every time and integer so far was written canonically.
    private(set) var areCanonical = true
    private(set) var problem: FieldProblem?

    @inline(__always)
    func has(_ key: Key) -> Bool { present.contains(key) }

    @inline(__always)
    func token(_ key: Key) -> Token { tokens[Int(key.rawValue)] }

    @inline(never)
    mutating func fail(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation) {
        if problem == nil { problem = FieldProblem(code: code, key: key, expected: expected) }
        present = KeySet()
    }

    @inline(__always)
    mutating func string(_ key: Key, _ expected: Expectation) -> UnsafeRawBufferPointer? {
        let token = token(key)
        switch token.form {
        case .string:
            let start = token.start &+ 1
            return UnsafeRawBufferPointer(rebasing: line[start..<start &+ token.count &- 2])
        case .escapedString: return Scratch.string(endingAt: token.scratchEnd, in: scratch)
        case .integer, .fraction, .yes, .no, .null, .container:
            fail(.wrongKind, key, expected)
            return nil
        }
    }

    @inline(__always)
    mutating func name(_ key: Key) -> UnsafeRawBufferPointer? {
        guard let bytes = string(key, .name) else { return nil }
        guard bytes.count >= 1, bytes.count <= NameCheck.maximumLength else {
            fail(.outOfRange, key, .nameLength)
            return nil
        }
        guard isPlain || NameCheck.isPlain(bytes) else {
            fail(.outOfRange, key, .nameCharacters)
            return nil
        }
        return bytes
    }

    @inline(never)
    mutating func text(_ key: Key) -> (bytes: UnsafeRawBufferPointer, span: TextSpan)? {
        guard let bytes = string(key, .text) else { return nil }
        guard bytes.count <= NameCheck.maximumTextLength else {
            fail(.outOfRange, key, .textLength)
            return nil
        }
        let token = token(key)
        return (bytes, TextSpan(start: UInt32(token.start + 1), count: UInt32(token.count - 2)))
    }

    @inline(never)
    mutating func time(_ key: Key) -> Timestamp {
        guard let bytes = string(key, .time) else { return Timestamp(milliseconds: 0) }
        if let time = Timestamp(canonical: bytes, times) { return time }
        areCanonical = false
        if let time = Timestamp(rfc3339: bytes) { return time }
        fail(.badTime, key, .time)
        return Timestamp(milliseconds: 0)
    }

    /// An integer of at most 16 digits within the range of its key.
    @inline(never)
    mutating func integer(_ key: Key) -> Int64 {
        let token = token(key)
        guard token.form == .integer else {
            fail(.wrongKind, key, .integer)
            return 0
        }
        var place = token.start
        let end = place &+ token.count
        let isNegative = line[place] == UInt8(ascii: "-")
        if isNegative { place &+= 1 }
        let range = key.range
        guard end &- place <= 16 else {
            fail(.outOfRange, key, .range(range))
            return 0
        }
        var value: Int64 = 0
        if end &- place <= 8, end >= 8 {
            // The eight bytes that end with the number, without the bytes before it.
            let bytes = line.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
            value = Digits.value(
                of: UInt64(littleEndian: bytes), count: UInt64(truncatingIfNeeded: end &- place))
        } else {
            while place < end {
                value = value &* 10 &+ Int64(line[place] &- UInt8(ascii: "0"))
                place &+= 1
            }
        }
        if isNegative {
            if value == 0 { areCanonical = false }
            value = -value
        }
        if !range.contains(value) { fail(.outOfRange, key, .range(range)) }
        return value
    }

    @inline(never)
    mutating func flag(_ key: Key) -> Bool? {
        switch token(key).form {
        case .yes: return true
        case .no: return false
        case .string, .escapedString, .integer, .fraction, .null, .container:
            fail(.wrongKind, key, .flag)
            return nil
        }
    }

    @inline(never)
    mutating func currency(_ key: Key) -> Currency? {
        guard let bytes = string(key, .currency) else { return nil }
        let currency = Currency(bytes)
        if currency == nil { fail(.outOfRange, key, .currency) }
        return currency
    }

    @inline(never)
    mutating func word<Word: ClosedList>(_ key: Key) -> Word? {
        guard let bytes = string(key, .word(Word.self)) else { return nil }
        let word = Word.words.find(bytes)
        if word == nil { fail(.unknownValue, key, .word(Word.self)) }
        return word
    }

    /// Checks only the form of the chain value; ``Chain/follow(_:)`` checks the value itself.
    @inline(never)
    mutating func checkChain() {
        guard let bytes = string(.chain, .chain) else { return }
        let isHex = bytes.allSatisfy { $0 &- 0x30 <= 9 || $0 &- 0x61 <= 5 }
        if bytes.count != 64 || !isHex { fail(.outOfRange, .chain, .chain) }
    }
}
