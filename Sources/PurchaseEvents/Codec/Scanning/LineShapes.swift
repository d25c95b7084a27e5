/// The shapes of lines that were scanned before: which bytes of a line are keys and punctuation,
/// and which are values.
///
/// Most lines of a log look like one of a few hundred before them but for what stands in their
/// values: same type, same keys, values of the same lengths. Such a line is told in one pass,
/// sixteen bytes at a time, and where its values lie is known.
struct LineShapes: ~Copyable {
    /// What a line of a shape holds, beside its values.
    private struct Shape {
        var scanned = FastScanner.Scanned()
        /// The number of bytes of a line, of its values, and of those that are integers.
        var count: UInt16 = 0
        var valueCount: UInt16 = 0
        var integerCount: UInt16 = 0
    }

    /// A shape that lines of some length and type may have.
    private struct Candidate {
        var mark: UInt32 = 0
        /// The number of the shape.
        var shape: UInt32
    }

    /// The most bytes and values of a line that has a shape: longer ones are rare.
    private static let longest = 640
    private static let mostValues = 24
    /// So many values are copied without looking for their end: most lines have fewer.
    private static let usualValues = 12
    private static let none = Token(
        start: 0, count: 0, form: .null, key: Tokens.count - 1)
    /// Lines of one length and type may have so many shapes, which differ in where values end.
    private static let ways = 4
    private static let setCount = 256
    /// A quote, which no value holds, with a high bit, which no byte of a line has.
    private static let valueMark = UInt8(ascii: "\"") | 0x80

    private let candidates: UnsafeMutablePointer<Candidate>
    private let shapes: UnsafeMutablePointer<Shape>
    /// For each shape where the values of its lines stand, and behind them places of none.
    private let values: UnsafeMutablePointer<Token>
    /// For each shape the bytes of its lines, ``valueMark`` where a value stands.
    private let patterns: UnsafeMutableRawPointer
    /// What was scanned lately and had no shape yet: only what comes again gets one.
    private let seen: UnsafeMutablePointer<UInt64>
    /// Where the name of the type stands in the lines, which its place in the last one tells.
    private let typePlace: UnsafeMutablePointer<Int>

    init() {
        let count = LineShapes.setCount * LineShapes.ways
        candidates = .allocate(capacity: count)
        for index in 0..<count {
            candidates.advanced(by: index).initialize(to: Candidate(shape: UInt32(index)))
        }
        shapes = .allocate(capacity: count)
        values = .allocate(capacity: count * LineShapes.mostValues)
        patterns = .allocate(byteCount: count * LineShapes.longest, alignment: 16)
        seen = .allocate(capacity: LineShapes.setCount)
        seen.initialize(repeating: 0, count: LineShapes.setCount)
        typePlace = .allocate(capacity: 1)
        typePlace.initialize(to: 0)
    }

    deinit {
        candidates.deallocate()
        shapes.deallocate()
        values.deallocate()
        patterns.deallocate()
        seen.deallocate()
        typePlace.deallocate()
    }

    /// What the line holds, its values put into `tokens`, where it has a shape that is known:
    /// what ``FastScanner`` finds in it too.
    @inline(__always)
    func find(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>
    ) -> FastScanner.Scanned? {
        guard let base = line.baseAddress, let mark = mark(base, line.count),
            let shape = shape(of: base, line.count, mark)
        else { return nil }
        let known = shapes + shape
        let values = self.values + shape &* LineShapes.mostValues
        var index = 0
        while index < LineShapes.usualValues {
            tokens[values[index].key] = values[index]
            index &+= 1
        }
        while index < Int(known.pointee.valueCount) {
            tokens[values[index].key] = values[index]
            index &+= 1
        }
        return known.pointee.scanned
    }

    /// The number of a line's shape.
    @inline(never)
    private func shape(of base: UnsafeRawPointer, _ count: Int, _ mark: UInt32) -> Int? {
        let set = candidates + LineShapes.set(of: mark)
        var way = 0
        while way < LineShapes.ways {
            let candidate = set[way]
            if candidate.mark == mark, has(base, count, shape: Int(candidate.shape)) {
                // What comes often is asked first.
                if way > 0 { (set[way], set[way &- 1]) = (set[way &- 1], candidate) }
                return Int(candidate.shape)
            }
            way &+= 1
        }
        return nil
    }

    /// What tells the lines of some length and type from most others, never 0; `nil` for a line
    /// that is too short or too long.
    @inline(__always)
    private func mark(_ base: UnsafeRawPointer, _ count: Int) -> UInt32? {
        let place = typePlace.pointee
        guard count <= LineShapes.longest, place &+ 16 <= count else { return nil }
        let words = base.word(at: place) &+ base.word(at: place &+ 8) &* 0x9E37_79B9_7F4A_7C15
        let spread = (words ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: spread &>> 32) | 1
    }

    @inline(__always)
    private static func set(of mark: UInt32) -> Int {
        Int(mark &>> 24) &* ways
    }

    /// Whether a line has a shape.
    @inline(__always)
    private func has(_ base: UnsafeRawPointer, _ count: Int, shape: Int) -> Bool {
        let known = shapes + shape
        guard Int(known.pointee.count) == count,
            LineShapes.matches(base, count, patterns + shape &* LineShapes.longest)
        else { return false }
        // Integers come first.
        var value = values + shape &* LineShapes.mostValues
        let end = value + Int(known.pointee.integerCount)
        while value < end {
            let start = value.pointee.start
            guard LineShapes.isInteger(base, start, start &+ value.pointee.count) else {
                return false
            }
            value += 1
        }
        return true
    }

    /// Whether a value is an integer without a leading zero.
    @inline(__always)
    private static func isInteger(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Bool {
        let isNegative = base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "-")
        let count = end &- start &- (isNegative ? 1 : 0)
        guard count > 0, count <= 8, end >= 8 else {
            return FastScanner.endOfInteger(base, end, start) == end
        }
        // The eight bytes that end with the number, those before it shifted out.
        let gap = UInt64(truncatingIfNeeded: 8 &- count) &* 8
        let digits = (base.word(at: end &- 8) ^ Digits.zeros) &>> gap
        return Digits.others(in: digits) == 0 && (count == 1 || digits & 0xFF != 0)
    }

    /// Whether a line has the bytes of a pattern, and where that has none, plain ASCII without
    /// quotes.
    @inline(__always)
    private static func matches(
        _ line: UnsafeRawPointer, _ count: Int, _ pattern: UnsafeRawPointer
    ) -> Bool {
        var agreed = PlainBytes.Vector(repeating: -1)
        let last = count &- 16
        var offset = 0
        while offset < last {
            agreed &= agrees(line, pattern, offset)
            offset &+= 16
        }
        // The last sixteen bytes, of which the first may have been looked at already.
        return PlainBytes.hasHighBits(agreed & agrees(line, pattern, last))
    }

    /// A high bit in the lanes that are as the pattern has them.
    @inline(__always)
    private static func agrees(
        _ line: UnsafeRawPointer, _ pattern: UnsafeRawPointer, _ offset: Int
    ) -> PlainBytes.Vector {
        let bytes = line.loadUnaligned(fromByteOffset: offset, as: PlainBytes.Vector.self)
        let expected = pattern.loadUnaligned(fromByteOffset: offset, as: PlainBytes.Vector.self)
        // Of a key the byte, of a value no quote: all bits but the high one are equal, or not.
        let equal = PlainBytes.lanes(bytes .== expected & PlainBytes.Vector(repeating: 0x7F))
        return (equal ^ expected) & PlainBytes.plain(bytes)
    }

    /// Takes in the shape of a line that ``FastScanner`` scanned, where it has come before.
    @inline(never)
    func learn(
        _ line: UnsafeRawBufferPointer, _ scanned: FastScanner.Scanned,
        _ tokens: UnsafePointer<Token>
    ) {
        // Of a type that the format doesn't have, lines are reported one by one.
        guard let base = line.baseAddress, scanned.type != nil, line.count <= LineShapes.longest
        else { return }
        typePlace.pointee = tokens[Int(Key.type.rawValue)].start + 1
        guard let mark = mark(base, line.count), isSeenAgain(scanned, tokens, mark) else { return }
        // The last way is the one that was least of use.
        let set = candidates + LineShapes.set(of: mark)
        let last = LineShapes.ways - 1
        let shape = Int(set[last].shape)
        guard put(line, scanned, tokens, shape) else { return }
        set[last].mark = mark
        (set[last], set[last - 1]) = (set[last - 1], set[last])
    }

    /// Whether a line of the same values' places was scanned lately; now one was.
    private func isSeenAgain(
        _ scanned: FastScanner.Scanned, _ tokens: UnsafePointer<Token>, _ mark: UInt32
    ) -> Bool {
        var hash = UInt64(mark)
        scanned.present.forEach { key in
            let token = tokens[Int(key.rawValue)]
            hash =
                (hash ^ UInt64(token.start) << 32 ^ UInt64(token.count))
                &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let place = seen + Int(hash >> 56)
        defer { place.pointee = hash }
        return place.pointee == hash
    }

    /// Makes a shape of a line; `false` where it has too many values.
    private func put(
        _ line: UnsafeRawBufferPointer, _ scanned: FastScanner.Scanned,
        _ tokens: UnsafePointer<Token>, _ shape: Int
    ) -> Bool {
        let pattern = patterns + shape * LineShapes.longest
        // Until the pattern is whole no line has its length.
        (shapes + shape).initialize(to: Shape())
        UnsafeMutableRawBufferPointer(start: pattern, count: line.count).copyMemory(from: line)
        var (integers, others): ([Token], [Token]) = ([], [])
        var fits = true
        scanned.present.forEach { key in
            let token = tokens[Int(key.rawValue)]
            let value = Token(
                start: token.start, count: token.count, form: token.form,
                key: Int(key.rawValue))
            let (start, end) = (token.start, token.start + token.count)
            switch token.form {
            case .string where key != .type:
                LineShapes.mark(start + 1..<end - 1, in: pattern)
                others.append(value)
            case .integer:
                LineShapes.mark(start..<end, in: pattern)
                integers.append(value)
            case .string, .yes, .no: others.append(value)
            case .escapedString, .fraction, .null, .container: fits = false
            }
        }
        let all = integers + others
        guard fits, all.count <= LineShapes.mostValues else { return false }
        let places = values + shape * LineShapes.mostValues
        places.initialize(from: all, count: all.count)
        places.advanced(by: all.count).initialize(
            repeating: LineShapes.none, count: LineShapes.mostValues - all.count)
        (shapes + shape).initialize(
            to: Shape(
                scanned: scanned, count: UInt16(line.count), valueCount: UInt16(all.count),
                integerCount: UInt16(integers.count)))
        return true
    }

    private static func mark(_ places: Range<Int>, in pattern: UnsafeMutableRawPointer) {
        for place in places {
            pattern.storeBytes(of: valueMark, toByteOffset: place, as: UInt8.self)
        }
    }
}
