/// Writes JSON values as the log format spells them (event-log.md, 1): no spaces and only the
/// required escapes, so printed output can't control a terminal.
extension LineBuffer {
    package mutating func append(_ time: Timestamp) {
        let place = room(for: 26)
        place[0] = UInt8(ascii: "\"")
        time.write(to: place + 1)
        place[25] = UInt8(ascii: "\"")
        advance(by: 26)
    }

    /// Appends a key that needs no escapes, with quotes and colon, after a comma unless first.
    package mutating func append(key: StaticString, isFirst: Bool) {
        let count = key.utf8CodeUnitCount
        let place = room(for: count &+ 4)
        place[0] = UInt8(ascii: ",")
        let start = isFirst ? place : place + 1
        start[0] = UInt8(ascii: "\"")
        (start + 1).update(from: key.utf8Start, count: count)
        start[count &+ 1] = UInt8(ascii: "\"")
        start[count &+ 2] = UInt8(ascii: ":")
        advance(by: count &+ (isFirst ? 3 : 4))
    }

    package mutating func append(number value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        // The longest `Int64` has 20 characters.
        let place = room(for: 20)
        var (first, rest) = (20, value.magnitude)
        repeat {
            first &-= 1
            let (tens, digit) = rest.quotientAndRemainder(dividingBy: 10)
            place[first] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
            rest = tens
        } while rest > 0
        place.update(from: place + first, count: 20 &- first)
        advance(by: 20 &- first)
    }

    package mutating func append(quoted text: String) {
        if text.withTextBytes({ append(plain: $0) }) { return }
        append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars { append(escaping: scalar) }
        append(UInt8(ascii: "\""))
    }

    /// Appends bytes in quotes if all are ASCII that needs no escape; returns whether they are.
    @inline(__always)
    mutating func append(plain text: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = text.count
        let place = room(for: count &+ 2)
        place[0] = UInt8(ascii: "\"")
        let target = UnsafeMutableRawPointer(place + 1)
        let source = UnsafeRawBufferPointer(text)
        let isPlain =
            count >= 16
            ? LineBuffer.copyLong(source, to: target) : LineBuffer.copyShort(source, to: target)
        guard isPlain else { return false }
        place[count &+ 1] = UInt8(ascii: "\"")
        advance(by: count &+ 2)
        return true
    }

    /// Copies 16 bytes or more; returns whether all of them are ASCII that needs no escape.
    @inline(__always)
    private static func copyLong(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
    ) -> Bool {
        guard let base = source.baseAddress else { return false }
        var unescaped = PlainBytes.Vector(repeating: -1)
        let last = source.count &- 16
        var offset = 0
        while true {
            let bytes = base.loadUnaligned(fromByteOffset: offset, as: PlainBytes.Vector.self)
            unescaped &= PlainBytes.unescaped(bytes)
            target.storeBytes(of: bytes, toByteOffset: offset, as: PlainBytes.Vector.self)
            if offset == last { return PlainBytes.hasHighBits(unescaped) }
            // The last sixteen bytes; some of them may have been copied already.
            offset = min(offset &+ 16, last)
        }
    }

    /// Copies fewer than 16 bytes; returns whether all of them are ASCII that needs no escape.
    @inline(__always)
    private static func copyShort(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer
    ) -> Bool {
        let count = source.count
        if count >= 8 {
            // The two words may overlap.
            let (first, last) = (source.word(at: 0), source.word(at: count &- 8))
            target.storeBytes(of: first.littleEndian, as: UInt64.self)
            target.storeBytes(of: last.littleEndian, toByteOffset: count &- 8, as: UInt64.self)
            return LineBuffer.marks(first) | LineBuffer.marks(last) == 0
        }
        var marks: UInt64 = 0
        for offset in 0..<count {
            marks |= LineBuffer.marks(UInt64(source[offset]) | 0x2020_2020_2020_2000)
            target.storeBytes(of: source[offset], toByteOffset: offset, as: UInt8.self)
        }
        return marks == 0
    }

    /// Nonzero if one of eight bytes isn't printable ASCII, or is a quote or a backslash.
    @inline(__always)
    private static func marks(_ word: UInt64) -> UInt64 {
        // Subtracting sets the high bit for a byte below 0x20, and adding sets it for 0x7F.
        let unprintable = (word &- EightBytes.all(0x20)) | (word &+ EightBytes.all(1)) | word
        return unprintable & EightBytes.all(0x80)
            | EightBytes.equal(to: UInt8(ascii: "\""), in: word)
            | EightBytes.equal(to: UInt8(ascii: "\\"), in: word)
    }

    private mutating func append(escaping scalar: Unicode.Scalar) {
        if scalar == "\"" || scalar == "\\" {
            append(UInt8(ascii: "\\"))
            append(UInt8(truncatingIfNeeded: scalar.value))
        } else if EscapedText.isUnsafe(scalar) {
            append(UInt8(ascii: "\\"))
            if let short = LineBuffer.shortEscapes[scalar] {
                append(short)
            } else {
                append(UInt8(ascii: "u"))
                append(EscapedText.hex(UInt16(truncatingIfNeeded: scalar.value)))
            }
        } else {
            append(String(scalar))
        }
    }

    private static let shortEscapes: [Unicode.Scalar: UInt8] = [
        "\u{8}": UInt8(ascii: "b"), "\u{9}": UInt8(ascii: "t"), "\u{A}": UInt8(ascii: "n"),
        "\u{C}": UInt8(ascii: "f"), "\u{D}": UInt8(ascii: "r"),
    ]
}
