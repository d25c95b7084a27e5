/// The shapes of earlier lines: which bytes are keys and punctuation, and which are values.
///
/// Apart from its values, most lines repeat one of a few hundred shapes: same type, same keys,
/// values of the same lengths. Such a line is recognized in one pass, sixteen bytes at a time, and
/// its shape gives the places of its values.
struct LineShapes: ~Copyable {
    private struct Shape {
        var scanned = FastScanner.Scanned()
        /// The number of bytes, of values, and of integers among the values.
        var count: UInt16 = 0
        var valueCount: UInt16 = 0
        var integerCount: UInt16 = 0
    }

    private struct Candidate {
        var lengthTypeHash: UInt32 = 0
        var shape: UInt32
    }

    /// The maximum number of bytes and of values in a line with a shape; longer lines are rare.
    private static let longest = 640
    private static let mostValues = 24
    /// The number of values copied without a check for the end; most lines have fewer.
    private static let usualValues = 12
    private static let none = Token(start: 0, count: 0, form: .null, key: Tokens.count - 1)
    /// All shapes of one length and type are in the same set.
    private static let shapesPerSet = 4
    private static let setCount = 256
    /// Marks a byte of a value in a pattern: a quote with the high bit set, which no value has.
    private static let valueMark = UInt8(ascii: "\"") | 0x80

    private let candidates: UnsafeMutablePointer<Candidate>
    private let shapes: UnsafeMutablePointer<Shape>
    /// For each shape, the tokens of its values, with empty tokens after the last.
    private let values: UnsafeMutablePointer<Token>
    /// For each shape, the bytes of its lines, with ``valueMark`` for the bytes of values.
    private let patterns: UnsafeMutableRawPointer
    /// Hashes of recent lines without a shape; a line gets a shape when its hash comes again.
    private let seen: UnsafeMutablePointer<UInt64>
    /// The place of the type's name in a line, predicted from the last line.
    private let typePlace: UnsafeMutablePointer<Int>

    init() {
        let count = LineShapes.setCount * LineShapes.shapesPerSet
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

    /// Recognizes a line with a known shape: puts its values into `tokens` and returns the same as
    /// ``FastScanner``; `nil` for any other line.
    @inline(__always)
    func find(
        _ line: UnsafeRawBufferPointer, into tokens: UnsafeMutablePointer<Token>
    ) -> FastScanner.Scanned? {
        guard let base = line.baseAddress, let hash = lengthTypeHash(base, line.count),
            let shape = shape(of: base, line.count, hash)
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

    @inline(never)
    private func shape(of base: UnsafeRawPointer, _ count: Int, _ hash: UInt32) -> Int? {
        let set = candidates + LineShapes.set(of: hash)
        var place = 0
        while place < LineShapes.shapesPerSet {
            let candidate = set[place]
            if candidate.lengthTypeHash == hash, has(base, count, shape: Int(candidate.shape)) {
                // Move the shape one place forward, so that frequent shapes come first.
                if place > 0 { (set[place], set[place &- 1]) = (set[place &- 1], candidate) }
                return Int(candidate.shape)
            }
            place &+= 1
        }
        return nil
    }

    /// A nonzero hash of a line's length and type; `nil` for a line that is too short or too long.
    @inline(__always)
    private func lengthTypeHash(_ base: UnsafeRawPointer, _ count: Int) -> UInt32? {
        let place = typePlace.pointee
        guard count <= LineShapes.longest, place &+ 16 <= count else { return nil }
        let words = base.word(at: place) &+ base.word(at: place &+ 8) &* 0x9E37_79B9_7F4A_7C15
        let spread = (words ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
        return UInt32(truncatingIfNeeded: spread &>> 32) | 1
    }

    @inline(__always)
    private static func set(of hash: UInt32) -> Int { Int(hash &>> 24) &* shapesPerSet }

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

    @inline(__always)
    private static func isInteger(_ base: UnsafeRawPointer, _ start: Int, _ end: Int) -> Bool {
        let isNegative = base.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "-")
        let count = end &- start &- (isNegative ? 1 : 0)
        guard count > 0, count <= 8, end >= 8 else {
            return FastScanner.endOfInteger(base, end, start) == end
        }
        // The eight bytes that end with the number, without the bytes before it.
        let gap = UInt64(truncatingIfNeeded: 8 &- count) &* 8
        let digits = (base.word(at: end &- 8) ^ Digits.zeros) &>> gap
        return Digits.others(in: digits) == 0 && (count == 1 || digits & 0xFF != 0)
    }

    /// Whether a line has the bytes of a pattern, and plain ASCII without quotes for each value
    /// byte.
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
        // The last sixteen bytes; some of them may have been compared already.
        return PlainBytes.hasHighBits(agreed & agrees(line, pattern, last))
    }

    /// Sets the high bit in the lanes that match the pattern.
    @inline(__always)
    private static func agrees(
        _ line: UnsafeRawPointer, _ pattern: UnsafeRawPointer, _ offset: Int
    ) -> PlainBytes.Vector {
        let bytes = line.loadUnaligned(fromByteOffset: offset, as: PlainBytes.Vector.self)
        let expected = pattern.loadUnaligned(fromByteOffset: offset, as: PlainBytes.Vector.self)
        // A key's byte must be equal; a value's byte must differ from a quote.
        let equal = PlainBytes.lanes(bytes .== expected & PlainBytes.Vector(repeating: 0x7F))
        return (equal ^ expected) & PlainBytes.plain(bytes)
    }

    /// Adds the shape of a line scanned by ``FastScanner``, if the same shape came before.
    @inline(never)
    func learn(
        _ line: UnsafeRawBufferPointer, _ scanned: FastScanner.Scanned,
        _ tokens: UnsafePointer<Token>
    ) {
        // Lines of an unknown type are reported one by one, so they have no shape.
        guard let base = line.baseAddress, scanned.type != nil, line.count <= LineShapes.longest
        else { return }
        typePlace.pointee = tokens[Int(Key.type.rawValue)].start + 1
        guard let hash = lengthTypeHash(base, line.count), isSeenAgain(scanned, tokens, hash)
        else { return }
        // The last place of a set holds the least useful shape.
        let set = candidates + LineShapes.set(of: hash)
        let last = LineShapes.shapesPerSet - 1
        let shape = Int(set[last].shape)
        guard put(line, scanned, tokens, shape) else { return }
        set[last].lengthTypeHash = hash
        (set[last], set[last - 1]) = (set[last - 1], set[last])
    }

    /// Whether a recent line had its values at the same places; remembers this line.
    private func isSeenAgain(
        _ scanned: FastScanner.Scanned, _ tokens: UnsafePointer<Token>, _ lengthTypeHash: UInt32
    ) -> Bool {
        var hash = UInt64(lengthTypeHash)
        scanned.present.forEach { key in
            let token = tokens[Int(key.rawValue)]
            hash = (hash ^ UInt64(token.start) << 32 ^ UInt64(token.count)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 29
        }
        let place = seen + Int(hash >> 56)
        defer { place.pointee = hash }
        return place.pointee == hash
    }

    /// Makes a shape from a line; returns `false` if the line has too many values.
    private func put(
        _ line: UnsafeRawBufferPointer, _ scanned: FastScanner.Scanned,
        _ tokens: UnsafePointer<Token>, _ shape: Int
    ) -> Bool {
        let pattern = patterns + shape * LineShapes.longest
        // No line has the length 0, so the shape matches no line until its pattern is complete.
        (shapes + shape).initialize(to: Shape())
        UnsafeMutableRawBufferPointer(start: pattern, count: line.count).copyMemory(from: line)
        var (integers, others): ([Token], [Token]) = ([], [])
        var fits = true
        scanned.present.forEach { key in
            let token = tokens[Int(key.rawValue)]
            let value = Token(
                start: token.start, count: token.count, form: token.form, key: Int(key.rawValue))
            switch token.form {
            case .string where key != .type:
                LineShapes.markValue(token.range.dropFirst().dropLast(), in: pattern)
                others.append(value)
            case .integer:
                LineShapes.markValue(token.range, in: pattern)
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

    private static func markValue(_ places: Range<Int>, in pattern: UnsafeMutableRawPointer) {
        for place in places {
            pattern.storeBytes(of: valueMark, toByteOffset: place, as: UInt8.self)
        }
    }
}
