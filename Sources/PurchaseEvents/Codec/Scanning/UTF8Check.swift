/// Checks that bytes are UTF-8: no overlong form, no surrogate, nothing past U+10FFFF.
enum UTF8Check {
    /// Throws `not-utf8` at the first byte of the first invalid sequence.
    static func check(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
        var position = 0
        while position < bytes.count {
            if bytes[position] < 0x80 {
                position += 1
                continue
            }
            let length = sequenceLength(bytes, at: position)
            guard length > 0 else {
                let seen = String(bytes[position], radix: 16, uppercase: true)
                throw Diagnostic(
                    .notUTF8, byte: position + 1, "expected UTF-8, seen the byte 0x\(seen)")
            }
            position += length
        }
    }

    /// The length of the sequence of 2 to 4 bytes at a place; 0 if it is invalid.
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let lead = bytes[place]
        // The length that the lead byte asks for, and the values that its second byte may have.
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case _: return 0
        }
        guard place + length <= bytes.count, second.contains(bytes[place + 1]),
            bytes[(place + 2)..<(place + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { return 0 }
        return length
    }
}
