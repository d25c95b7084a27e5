/// The characters that a name may hold (event-log.md, 1).
package enum NameCheck {
    package static let maximumLength = 255
    package static let maximumTextLength = 4_096

    /// Whether UTF-8 bytes are free of the control characters C0, DEL and C1.
    @inline(__always)
    package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        var suspects: UInt64 = 0
        while offset &+ 8 <= bytes.count {
            suspects |= suspicious(bytes.paddedWord(at: offset))
            offset &+= 8
        }
        if offset < bytes.count {
            // The padding becomes 0x20, which is allowed, rather than 0, which isn't.
            let left = UInt64(bytes.count &- offset) &* 8
            suspects |= suspicious(bytes.paddedWord(at: offset) | EightBytes.all(0x20) << left)
        }
        return suspects == 0 || isPlainCarefully(bytes)
    }

    /// Sets the high bit of each byte that may be a control character: C0, DEL, or not ASCII.
    @inline(__always)
    private static func suspicious(_ word: UInt64) -> UInt64 {
        // A byte below 0x20 borrows.
        let low = (word &- EightBytes.all(0x20)) & ~word
        return (low | word) & EightBytes.all(0x80) | EightBytes.equal(to: 0x7F, in: word)
    }

    private static func isPlainCarefully(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F { return false }
            // The bytes C2 80 to C2 9F are C1.
            if previous == 0xC2, byte < 0xA0 { return false }
            previous = byte
        }
        return true
    }
}
