package struct TimeReader {
    package let bytes: UnsafeRawBufferPointer
    package var position = 0

    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inlinable
    package var isAtEnd: Bool { position == bytes.count }

    @inlinable
    package mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    @inlinable
    package mutating func digit() -> Int64? {
        guard position < bytes.count, bytes[position] &- UInt8(ascii: "0") <= 9 else { return nil }
        position += 1
        return Int64(bytes[position - 1] &- UInt8(ascii: "0"))
    }

    @inlinable
    package mutating func digits(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads the decimals after a point, cut to thousandths; 0 without a point, and `nil` for a
    /// point without decimals or with more than `most`.
    @inlinable
    package mutating func fraction(atMost most: Int = .max) -> Int64? {
        guard take(".") else { return 0 }
        var (value, count) = (Int64(0), 0)
        while let digit = digit() {
            count += 1
            if count <= 3 { value = value * 10 + digit }
        }
        guard count > 0, count <= most else { return nil }
        for _ in 0..<max(0, 3 - count) { value *= 10 }
        return value
    }

    /// Reads `Z` or an offset such as `+01:00`, in minutes east of UTC.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), take(":"), let minutes = digits(2),
            hours < 24, minutes < 60
        else { return nil }
        return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
}
