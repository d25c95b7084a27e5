/// Scans the ordinary line: one flat object, known keys, plain ASCII strings, integers and flags.
///
/// It answers `nil` for anything else, malformed or not, and leaves that to ``CarefulScanner``;
/// where it answers both give the same tokens. All offsets stay below the line's length, which is
/// at most 65,536, so their arithmetic can't overflow.
struct FastScanner {
    private let line: UnsafeRawBufferPointer
    private let tokens: UnsafeMutablePointer<Token>
    private let keys: KeyPredictor
    private var position = 0
    private var present = KeySet()

    /// The keys of the line, their values put into `tokens`; `nil` where the line is not ordinary.
    @inline(__always)
    static func scan(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>,
        _ keys: KeyPredictor
    ) -> KeySet? {
        guard line.count >= 2, line.count <= LineDecoder.maximumLineLength, isPlain(line) else {
            return nil
        }
        var scanner = FastScanner(line: line, tokens: tokens, keys: keys)
        return scanner.scanObject() ? scanner.present : nil
    }

    private init(
        line: UnsafeRawBufferPointer, tokens: UnsafeMutablePointer<Token>, keys: KeyPredictor
    ) {
        self.line = line
        self.tokens = tokens
        self.keys = keys
    }

    /// Whether every byte is printable ASCII and no backslash.
    @inline(__always)
    private static func isPlain(_ line: UnsafeRawBufferPointer) -> Bool {
        typealias Vector = SIMD16<UInt8>
        func suspicious(_ bytes: Vector) -> SIMDMask<SIMD16<Int8>> {
            (bytes &- Vector(repeating: 0x20)) .> Vector(repeating: 0x5E)
                .| (bytes .== Vector(repeating: 0x5C))
        }
        guard line.count >= 16 else { return line.allSatisfy { $0 &- 0x20 <= 0x5E && $0 != 0x5C } }
        var found = SIMDMask<SIMD16<Int8>>(repeating: false)
        var offset = 0
        while offset &+ 16 <= line.count {
            found = found .| suspicious(line.loadUnaligned(fromByteOffset: offset, as: Vector.self))
            offset &+= 16
        }
        let last = line.loadUnaligned(fromByteOffset: line.count &- 16, as: Vector.self)
        return !any(found .| suspicious(last))
    }

    private mutating func scanObject() -> Bool {
        guard take("{") else { return false }
        var place = KeyPredictor.Place()
        repeat {
            guard let key = scanKey(&place), present.insert(key) else { return false }
            guard let token = scanValue() else { return false }
            tokens[Int(key.rawValue)] = token
            if key == .type, token.form == .string {
                let start = Int(token.start) &+ 1
                place.saw(
                    typeName: UnsafeRawBufferPointer(rebasing: line[start..<position &- 1]))
            }
        } while take(",")
        return take("}") && position == line.count
    }

    /// The key that stands here, with its quotes and colon: the predicted one, or another.
    @inline(__always)
    private mutating func scanKey(_ place: inout KeyPredictor.Place) -> Key? {
        let predicted = keys.next(at: place)
        let pattern = keys.pattern(of: predicted)
        if pattern.matches(line, at: position) {
            position &+= pattern.count
            place.passed(predicted)
            return predicted
        }
        return scanOtherKey(&place)
    }

    @inline(never)
    private mutating func scanOtherKey(_ place: inout KeyPredictor.Place) -> Key? {
        guard peek("\""), let end = endOfString() else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: line[position &+ 1..<end])
        guard let key = Key.names.find(bytes) else { return nil }
        position = end &+ 1
        guard take(":") else { return nil }
        keys.learn(key, at: place)
        place.passed(key)
        return key
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
            guard takeWord(0x6575_7274) else { return nil }
            form = .yes
        case UInt8(ascii: "f"):
            guard take("f"), takeWord(0x6573_6C61) else { return nil }
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
    private mutating func takeWord(_ word: UInt32) -> Bool {
        guard position &+ 4 <= line.count,
            UInt32(
                littleEndian: line.loadUnaligned(fromByteOffset: position, as: UInt32.self)) == word
        else { return false }
        position &+= 4
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

    /// The place of the closing quote of the plain string that begins here.
    @inline(__always)
    private func endOfString() -> Int? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var place = position &+ 1
        while place &+ 8 <= line.count {
            let word = UInt64(
                littleEndian: line.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let quote = word ^ (ones &* 0x22)
            let found = (quote &- ones) & ~quote & (ones &* 0x80)
            if found != 0 { return place &+ found.trailingZeroBitCount >> 3 }
            place &+= 8
        }
        while place < line.count {
            if line[place] == UInt8(ascii: "\"") { return place }
            place &+= 1
        }
        return nil
    }
}
