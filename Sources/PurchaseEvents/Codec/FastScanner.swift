/// Scans the ordinary line: one flat object, known keys, plain ASCII strings, integers and flags.
///
/// It answers `false` for anything else, malformed or not, and leaves that to ``CarefulScanner``;
/// where it answers `true` both give the same tokens. All offsets stay below the line's length,
/// which is at most 65,536, so their arithmetic can't overflow.
struct FastScanner {
    private let line: UnsafeRawBufferPointer
    private var position = 0

    /// The line's tokens; `false` where the line is not an ordinary one.
    static func scan(_ line: UnsafeRawBufferPointer, into tokens: inout Tokens) -> Bool {
        guard line.count >= 2, line.count <= LineDecoder.maximumLineLength else { return false }
        var scanner = FastScanner(line: line)
        return scanner.scanObject(into: &tokens)
    }

    private init(line: UnsafeRawBufferPointer) { self.line = line }

    private mutating func scanObject(into tokens: inout Tokens) -> Bool {
        guard take("{") else { return false }
        repeat {
            guard peek("\""), let keyEnd = endOfString() else { return false }
            let keyBytes = UnsafeRawBufferPointer(rebasing: line[position &+ 1..<keyEnd])
            guard let key = Key.names.find(keyBytes), tokens.present.insert(key) else {
                return false
            }
            position = keyEnd &+ 1
            guard take(":"), let token = scanValue() else { return false }
            tokens[key] = token
        } while take(",")
        return take("}") && position == line.count
    }

    @inline(__always)
    private func peek(_ mark: Unicode.Scalar) -> Bool {
        position < line.count && line[position] == UInt8(ascii: mark)
    }

    @inline(__always)
    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek(mark) else { return false }
        position &+= 1
        return true
    }

    @inline(__always)
    private mutating func scanValue() -> Token? {
        guard position < line.count else { return nil }
        let start = position
        let form: TokenForm
        switch line[position] {
        case UInt8(ascii: "\""):
            guard let end = endOfString() else { return nil }
            position = end &+ 1
            form = .string
        case UInt8(ascii: "t"):
            guard takeWord(0x6575_7274, count: 4) else { return nil }
            form = .yes
        case UInt8(ascii: "f"):
            guard take("f"), takeWord(0x6573_6C61, count: 4) else { return nil }
            form = .no
        case _:
            guard scanInteger() else { return nil }
            form = .integer
        }
        return Token(
            start: UInt32(truncatingIfNeeded: start),
            count: UInt32(truncatingIfNeeded: position &- start), form: form)
    }

    @inline(__always)
    private mutating func takeWord(_ word: UInt32, count: Int) -> Bool {
        guard position &+ count <= line.count,
            UInt32(
                littleEndian: line.loadUnaligned(fromByteOffset: position, as: UInt32.self)) == word
        else { return false }
        position &+= count
        return true
    }

    /// An integer without a leading zero; what follows it is for the caller to judge.
    @inline(__always)
    private mutating func scanInteger() -> Bool {
        _ = take("-")
        let first = position
        while position < line.count, line[position] &- UInt8(ascii: "0") <= 9 { position &+= 1 }
        let count = position &- first
        return count == 1 || (count > 1 && line[first] != UInt8(ascii: "0"))
    }

    /// The place of the closing quote of the plain ASCII string that begins here.
    @inline(__always)
    private func endOfString() -> Int? {
        var place = position &+ 1
        while place &+ 8 <= line.count {
            let word = UInt64(
                littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let stops = FastScanner.stops(in: word)
            if stops != 0 {
                place &+= stops.trailingZeroBitCount >> 3
                return line[place] == UInt8(ascii: "\"") ? place : nil
            }
            place &+= 8
        }
        while place < line.count {
            let byte = line[place]
            if byte == UInt8(ascii: "\"") { return place }
            guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
            place &+= 1
        }
        return nil
    }

    /// The high bit of each byte that ends a plain run: a quote, a backslash, C0, or not ASCII.
    @inline(__always)
    private static func stops(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
            | ((word &- (ones &* 0x20)) & ~word) | word
        return found & (ones &* 0x80)
    }
}
