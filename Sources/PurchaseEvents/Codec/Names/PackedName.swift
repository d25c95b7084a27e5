/// Packs the two most common forms of names into 8 or 16 bytes (``NameStore``,
/// ``StatementPacker``).
enum PackedName {
    static let digitCount = 16, uuidCount = 36

    /// Packs 16 decimal digits, four bits each, the first digit highest; `nil` for any other name.
    static func digits(_ name: UnsafeRawBufferPointer) -> UInt64? {
        guard name.count == digitCount else { return nil }
        let (high, low) = (name.word(at: 0).byteSwapped, name.word(at: 8).byteSwapped)
        let (first, last) = (high ^ Digits.zeros, low ^ Digits.zeros)
        guard Digits.others(in: first) | Digits.others(in: last) == 0 else { return nil }
        return UInt64(Hex.word(ofValues: first)) << 32 | UInt64(Hex.word(ofValues: last))
    }

    /// Packs a UUID in lower case as 16 bytes, the first byte highest; `nil` for any other name,
    /// including a UUID whose first half is all ones.
    static func uuid(_ name: UnsafeRawBufferPointer) -> (UInt64, UInt64)? {
        guard name.count == uuidCount, hasHyphens(name) else { return nil }
        let digits = groups(of: name)
        guard let first = Hex.word(ofDigits: digits.0), let second = Hex.word(ofDigits: digits.1),
            let third = Hex.word(ofDigits: digits.2), let last = Hex.word(ofDigits: digits.3)
        else { return nil }
        let high = UInt64(first) << 32 | UInt64(second)
        return high == .max ? nil : (high, UInt64(third) << 32 | UInt64(last))
    }

    @inline(__always)
    static func areEqual(digits: UInt64, _ name: UnsafeRawBufferPointer) -> Bool {
        name.count == digitCount
            && Hex.values(of: UInt32(truncatingIfNeeded: digits)) ^ Digits.zeros
                == name.word(at: 8).byteSwapped
            && Hex.values(of: UInt32(truncatingIfNeeded: digits &>> 32)) ^ Digits.zeros
                == name.word(at: 0).byteSwapped
    }

    @inline(__always)
    static func areEqual(uuid high: UInt64, _ low: UInt64, _ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count == uuidCount else { return false }
        let digits = groups(of: name)
        return digits.0 == Hex.digits(of: UInt32(truncatingIfNeeded: high &>> 32))
            && digits.1 == Hex.digits(of: UInt32(truncatingIfNeeded: high))
            && digits.2 == Hex.digits(of: UInt32(truncatingIfNeeded: low &>> 32))
            && digits.3 == Hex.digits(of: UInt32(truncatingIfNeeded: low))
            && hasHyphens(name)
    }

    static func write(digits: UInt64, to place: UnsafeMutableRawBufferPointer) -> Int {
        let high = Hex.values(of: UInt32(truncatingIfNeeded: digits &>> 32)) ^ Digits.zeros
        let low = Hex.values(of: UInt32(truncatingIfNeeded: digits)) ^ Digits.zeros
        place.storeBytes(of: high.bigEndian, as: UInt64.self)
        place.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        return digitCount
    }

    static func write(
        uuid high: UInt64, _ low: UInt64, to place: UnsafeMutableRawBufferPointer
    ) -> Int {
        let second = Hex.digits(of: UInt32(truncatingIfNeeded: high))
        let third = Hex.digits(of: UInt32(truncatingIfNeeded: low &>> 32))
        let first = Hex.digits(of: UInt32(truncatingIfNeeded: high &>> 32))
        let last = Hex.digits(of: UInt32(truncatingIfNeeded: low))
        place.storeBytes(of: first.bigEndian, as: UInt64.self)
        func write(_ four: UInt64, at offset: Int) {
            place[offset &- 1] = UInt8(ascii: "-")
            let digits = UInt32(truncatingIfNeeded: four)
            place.storeBytes(of: digits.bigEndian, toByteOffset: offset, as: UInt32.self)
        }
        write(second &>> 32, at: 9)
        write(second, at: 14)
        write(third &>> 32, at: 19)
        write(third, at: 24)
        place.storeBytes(of: last.bigEndian, toByteOffset: 28, as: UInt64.self)
        return uuidCount
    }

    /// The digits of a UUID, eight to a word, the first digit highest.
    @inline(__always)
    private static func groups(
        of name: UnsafeRawBufferPointer
    ) -> (UInt64, UInt64, UInt64, UInt64) {
        let four: UInt64 = 0xFFFF_FFFF_0000_0000
        return (
            name.word(at: 0).byteSwapped,
            name.word(at: 9).byteSwapped & four | name.word(at: 14).byteSwapped &>> 32,
            name.word(at: 19).byteSwapped & four | name.word(at: 24).byteSwapped &>> 32,
            name.word(at: 28).byteSwapped
        )
    }

    @inline(__always)
    private static func hasHyphens(_ name: UnsafeRawBufferPointer) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (name[8] ^ hyphen) | (name[13] ^ hyphen) | (name[18] ^ hyphen)
            | (name[23] ^ hyphen) == 0
    }
}
