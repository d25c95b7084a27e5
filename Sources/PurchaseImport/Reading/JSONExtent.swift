import PurchaseEvents

/// Finds where a JSON value ends, in bytes that arrive piece by piece.
///
/// Checks the grammar outside strings, and refuses control characters inside strings. So a torn
/// value ends where the next value begins, or earlier. The reader that builds the value checks
/// escapes and UTF-8.
struct JSONExtent {
    enum Progress: Equatable {
        case open
        /// The value ends before the byte at this offset.
        case closed(Int)
        /// The byte at this offset can't continue the value.
        case broken(Int)
    }

    private enum Expected {
        case value, elementOrEnd, keyOrEnd, key, colon, commaOrEnd, text, escaped, word
    }

    private var expected = Expected.value
    /// The open arrays and objects: whether each is an object, and the offset of its first byte.
    private var open: [(isObject: Bool, start: Int)] = []
    private var isKey = false
    private var word = JSONWord.minus

    /// The offsets of the first bytes of the open arrays and objects.
    var openStarts: [Int] { open.map(\.start) }

    /// Whether the value is broken because arrays and objects are nested too deep.
    var isTooDeep: Bool { open.count > JSONReader.maximumDepth }

    /// Scans the bytes from an offset on; all calls count offsets from the same byte.
    mutating func scan(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Progress {
        var place = start
        while place < bytes.count {
            let byte = bytes[place]
            switch expected {
            case .text:
                place = JSONReader.endOfPlainText(in: bytes, from: place)
                guard place < bytes.count else { return .open }
                if bytes[place] == UInt8(ascii: "\"") {
                    if let end = endValue(at: place + 1) { return .closed(end) }
                } else if bytes[place] == UInt8(ascii: "\\") {
                    expected = .escaped
                } else {
                    return .broken(place)
                }
            case .escaped: expected = .text
            case .word:
                guard let next = word.next(byte) else {
                    guard word.isWhole else { return .broken(place) }
                    expected = .commaOrEnd
                    continue
                }
                word = next
            case .value, .elementOrEnd, .keyOrEnd, .key, .colon, .commaOrEnd:
                if !JSONReader.isSpace(byte) {
                    guard take(byte, at: place) else { return .broken(place) }
                    if open.isEmpty, expected == .commaOrEnd { return .closed(place + 1) }
                }
            }
            place += 1
        }
        return .open
    }

    /// Ends a string that ends before `end`; returns `end` if the string is the whole value.
    private mutating func endValue(at end: Int) -> Int? {
        expected = isKey ? .colon : .commaOrEnd
        return open.isEmpty ? end : nil
    }

    /// Takes a byte outside strings that isn't a space; returns false if the grammar forbids it.
    private mutating func take(_ byte: UInt8, at place: Int) -> Bool {
        switch expected {
        case .colon:
            expected = .value
            return byte == UInt8(ascii: ":")
        case .commaOrEnd: return takeCommaOrEnd(byte)
        case .key, .keyOrEnd:
            if byte == UInt8(ascii: "}"), expected == .keyOrEnd { return close(true) }
            isKey = true
            expected = .text
            return byte == UInt8(ascii: "\"")
        case .elementOrEnd:
            return byte == UInt8(ascii: "]") ? close(false) : takeValue(byte, at: place)
        case .value: return takeValue(byte, at: place)
        case .text, .escaped, .word: return false
        }
    }

    private mutating func takeCommaOrEnd(_ byte: UInt8) -> Bool {
        guard let isObject = open.last?.isObject else { return false }
        if byte == UInt8(ascii: ",") {
            expected = isObject ? .key : .value
            return true
        }
        return byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) && close(isObject)
    }

    private mutating func close(_ isObject: Bool) -> Bool {
        guard open.popLast()?.isObject == isObject else { return false }
        expected = .commaOrEnd
        return true
    }

    private mutating func takeValue(_ byte: UInt8, at place: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            open.append((isObject, place))
            expected = isObject ? .keyOrEnd : .elementOrEnd
            return !isTooDeep
        case UInt8(ascii: "\""):
            isKey = false
            expected = .text
            return true
        case _:
            expected = .word
            guard let first = JSONWord(first: byte), !open.isEmpty else { return false }
            word = first
            return true
        }
    }
}

/// The scanned part of a number, `true`, `false` or `null`.
private enum JSONWord {
    case minus, zero, integer, point, fraction, mark, sign, exponent
    /// The rest of `true`, `false` or `null`.
    case letters(ArraySlice<UInt8>)

    private static let literals = ["true", "false", "null"].map { Array($0.utf8)[...] }

    /// The word that begins with a byte; `nil` if none does.
    init?(first byte: UInt8) {
        if byte == UInt8(ascii: "-") {
            self = .minus
        } else if let number = JSONWord.minus.next(byte) {
            self = number
        } else if let literal = JSONWord.literals.first(where: { $0.first == byte }) {
            self = .letters(literal.dropFirst())
        } else {
            return nil
        }
    }

    var isWhole: Bool {
        switch self {
        case .zero, .integer, .fraction, .exponent: true
        case .minus, .point, .mark, .sign: false
        case .letters(let rest): rest.isEmpty
        }
    }

    /// The word extended by a byte, or `nil` if the byte doesn't continue it.
    func next(_ byte: UInt8) -> JSONWord? {
        let isDigit = byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
        let isMark = byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
        switch self {
        case .minus: return isDigit ? (byte == UInt8(ascii: "0") ? .zero : .integer) : nil
        case .integer where isDigit: return .integer
        case .zero, .integer: return byte == UInt8(ascii: ".") ? .point : isMark ? .mark : nil
        case .point: return isDigit ? .fraction : nil
        case .fraction: return isDigit ? .fraction : isMark ? .mark : nil
        case .mark:
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            return isSign ? .sign : isDigit ? .exponent : nil
        case .sign, .exponent: return isDigit ? .exponent : nil
        case .letters(let rest): return rest.first == byte ? .letters(rest.dropFirst()) : nil
        }
    }
}
