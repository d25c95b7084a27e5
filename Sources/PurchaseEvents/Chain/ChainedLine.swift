/// A line that ends in exactly `,"chain":"…"}`, split by its bytes alone.
struct ChainedLine {
    /// The bytes that the chain value hashes: everything before the comma.
    let content: UnsafeRawBufferPointer
    let value: Digest

    @inline(__always)
    init?(_ line: UnsafeRawBufferPointer) {
        let count = line.count &- ChainedLine.endLength
        guard count >= 0, let base = line.baseAddress,
            ChainedLine.isEqual(base + count, ChainedLine.opening),
            ChainedLine.isEqual(base + (line.count &- 2), ChainedLine.closing)
        else { return nil }
        let first = count &+ ChainedLine.opening.utf8CodeUnitCount
        let digits = UnsafeRawBufferPointer(rebasing: line[first..<first &+ Digest.hexLength])
        guard let value = Digest(hexBytes: digits) else { return nil }
        content = UnsafeRawBufferPointer(rebasing: line[..<count])
        self.value = value
    }

    /// Whether a first line, perhaps damaged, says that its log is chained, or has a chain value.
    static func isFirst(_ line: UnsafeRawBufferPointer) -> Bool {
        ChainedLine(line) != nil
            || String(decoding: line, as: UTF8.self).contains("\"chained\":true")
    }

    private static let opening: StaticString = ",\"chain\":\""
    private static let closing: StaticString = "\"}"
    static let endLength = opening.utf8CodeUnitCount + Digest.hexLength + closing.utf8CodeUnitCount

    @inline(__always)
    private static func isEqual(_ bytes: UnsafeRawPointer, _ text: StaticString) -> Bool {
        for index in 0..<text.utf8CodeUnitCount {
            let byte = bytes.load(fromByteOffset: index, as: UInt8.self)
            guard byte == text.utf8Start[index] else { return false }
        }
        return true
    }

    /// Passes the end of a line, from the comma to the closing brace, to `body`.
    @inline(__always)
    static func withEnd(_ value: Digest, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: endLength) { end in
            guard let base = end.baseAddress else { return }
            base.initialize(from: opening.utf8Start, count: opening.utf8CodeUnitCount)
            value.writeHex(to: base + opening.utf8CodeUnitCount)
            let digits = opening.utf8CodeUnitCount &+ Digest.hexLength
            (base + digits).initialize(from: closing.utf8Start, count: closing.utf8CodeUnitCount)
            body(UnsafeBufferPointer(end))
        }
    }
}
