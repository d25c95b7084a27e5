/// Deep certificates, messages and receipts, written from the inside to the outside in linear time.
enum MessageShapes {
    static let all =
        [HostileShape.Reader.certificates, .messages, .imports].flatMap { reader in
            [
                HostileShape(reader, "sequences in sequences") { count in
                    wrapped([], count) { ([header(0x30, $0)], []) }
                },
                HostileShape(reader, "sequences of indefinite length") { count in
                    repeated([0x30, 0x80], count) + repeated([0, 0], count)
                },
                HostileShape(reader, "a string in pieces in pieces") { count in
                    message(
                        wrapped([0x04, 1, 0x31], count) { ([header(0x24, $0)], []) }, tag: 0x24)
                },
                HostileShape(reader, "pieces of indefinite length") { count in
                    message([], tag: 0x24).dropLast(4) + repeated([0x24, 0x80], count)
                },
                HostileShape(reader, "strings in strings") { count in
                    message(wrapped([0x31, 0], count) { ([header(0x04, $0)], []) })
                },
                HostileShape(reader, "strings in a purchase") { count in
                    let value = wrapped([0x31, 0], count) { ([header(0x04, $0)], []) }
                    return message(element(0x31, attribute(17, value)))
                },
                HostileShape(reader, "messages in messages") { count in
                    wrapped([0x31, 0], count) { (parts(around: $0, tag: 0x04), [0x31, 0]) }
                },
                HostileShape(reader, "attributes") { count in
                    message(element(0x31, repeated(attribute(3, []), count)))
                },
                HostileShape(reader, "certificates") { count in
                    message([], after: element(0xA0, repeated([0x30, 0], count)))
                },
            ]
        }

    /// Receipts in base64 in requests to verify them, whose bytes are the content of receipts.
    static func requests(_ count: Int) -> [UInt8] {
        var bytes = message([0x31, 0])
        for _ in 0..<count {
            let request = "{\"receipt-data\":\"\(JWSShape.base64(bytes))\"}"
            bytes = message(Array(request.utf8))
        }
        return Array("{\"receipt-data\":\"\(JWSShape.base64(bytes))\"}".utf8)
    }

    private static func repeated(_ unit: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).reduce(into: []) { bytes, _ in bytes += unit }
    }

    /// Bytes in a number of wrappings, each with a prefix for the size of what it wraps, and a
    /// suffix.
    private static func wrapped(
        _ inner: [UInt8], _ count: Int, _ wrapping: (Int) -> (prefix: [[UInt8]], suffix: [UInt8])
    ) -> [UInt8] {
        var (prefixes, suffixes, size) = ([[UInt8]](), [[UInt8]](), inner.count)
        for _ in 0..<count {
            let (prefix, suffix) = wrapping(size)
            prefixes.append(joined(prefix))
            suffixes.append(suffix)
            size += prefix.reduce(suffix.count) { $0 + $1.count }
        }
        return joined(prefixes.reversed()) + inner + joined(suffixes)
    }

    /// The bytes of all parts, copied part by part: the library's `joined()` takes them one at a
    /// time, which is slow in a debug build.
    private static func joined(_ parts: [[UInt8]]) -> [UInt8] {
        parts.reduce(into: []) { bytes, part in bytes += part }
    }

    private static func header(_ tag: UInt8, _ size: Int) -> [UInt8] {
        guard size >= 0x80 else { return [tag, UInt8(size)] }
        let count = (Int.bitWidth - size.leadingZeroBitCount + 7) / 8
        let length = (0..<count).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        return [tag, 0x80 | UInt8(count)] + length
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        header(tag, content.count) + content
    }

    private static func attribute(_ type: UInt8, _ value: [UInt8]) -> [UInt8] {
        element(0x30, [0x02, 1, type, 0x02, 1, 1] + element(0x04, value))
    }

    /// The identifiers of signed data and of data.
    private static let signedData: [UInt8] = [0x06, 9, 42, 134, 72, 134, 247, 13, 1, 7, 2]
    private static let data: [UInt8] = [0x06, 9, 42, 134, 72, 134, 247, 13, 1, 7, 1]

    /// A message without a signer; `rest` comes after the content.
    private static func message(
        _ content: [UInt8], tag: UInt8 = 0x04, after rest: [UInt8] = []
    ) -> [UInt8] {
        let suffix = rest + [0x31, 0]
        return joined(parts(around: content.count, tag: tag, suffix.count)) + content + suffix
    }

    /// What comes before the content of a message.
    ///
    /// - Parameters:
    ///   - size: The size of the content.
    ///   - suffix: The size of what comes after the content.
    private static func parts(around size: Int, tag: UInt8, _ suffix: Int = 2) -> [[UInt8]] {
        var (parts, size) = ([[UInt8]](), size)
        func add(_ part: [UInt8]) {
            parts.insert(part, at: 0)
            size += part.count
        }
        add(header(tag, size))
        add(header(0xA0, size))
        add(data)
        add(header(0x30, size))
        add([0x02, 1, 1, 0x31, 0])
        size += suffix
        add(header(0x30, size))
        add(header(0xA0, size))
        add(signedData)
        add(header(0x30, size))
        return parts
    }
}
