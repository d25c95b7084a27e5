import PurchaseEvents

package enum HashFunction: String, CaseIterable, Sendable {
    /// SHA-1 (FIPS 180-4); only for receipts, because attackers can make collisions.
    case sha1
    case sha256
    case sha384

    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        }
    }

    /// The object identifier (RFC 8017, appendix B.1).
    var identifier: ObjectIdentifier {
        switch self {
        case .sha1: ObjectIdentifier(1, 3, 14, 3, 2, 26)
        case .sha256: ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 1)
        case .sha384: ObjectIdentifier(2, 16, 840, 1, 101, 3, 4, 2, 2)
        }
    }

    /// The hash of a message; only SHA-256 uses the platform's implementation, if there is one.
    package func hash(_ message: UnsafeRawBufferPointer) -> [UInt8] {
        switch self {
        case .sha1: return SHA1.hash(message)
        case .sha256:
            var hash = SHA256()
            hash.update(message)
            return hash.finish().bytes
        case .sha384: return SHA384.hash(message)
        }
    }

    package func hash(_ message: ArraySlice<UInt8>) -> [UInt8] {
        message.withUnsafeBytes { hash($0) }
    }
}

enum HashBlocks {
    /// Visits a message by blocks; a one bit, zeros and the length in bits complete the last.
    static func visit(
        _ message: UnsafeRawBufferPointer, size: Int, lengthBytes: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let whole = message.count / size * size
        for start in stride(from: 0, to: whole, by: size) {
            body(UnsafeRawBufferPointer(rebasing: message[start..<start + size]))
        }
        var last = Array(message[whole...])
        last.append(0x80)
        let used = (last.count + lengthBytes) % size
        last.append(contentsOf: repeatElement(0, count: used == 0 ? 0 : size - used))
        last.append(contentsOf: repeatElement(0, count: lengthBytes - 8))
        withUnsafeBytes(of: (UInt64(message.count) &* 8).bigEndian) { last.append(contentsOf: $0) }
        last.withUnsafeBytes { last in
            for start in stride(from: 0, to: last.count, by: size) {
                body(UnsafeRawBufferPointer(rebasing: last[start..<start + size]))
            }
        }
    }
}
