import PurchaseEvents

/// A source whose first bytes can be examined before they are read.
final class HeadSource: ByteSource {
    /// The most bytes to examine.
    private static let largest = 1 << 20

    /// The first bytes; all bytes if they are few.
    var head: ArraySlice<UInt8> { bytes.prefix(HeadSource.largest) }
    /// Whether the first bytes may begin a table, rather than JSON or a binary receipt.
    private(set) var mayBeTable = true
    private var bytes: [UInt8] = []
    private let source: any ByteSource
    private var position = 0
    /// Whether the first byte that isn't white space was seen.
    private var hasStarted = false

    /// Reads the first bytes of a source, and keeps them for reading.
    ///
    /// Reads only a little of a source that can't be a table.
    init(_ source: any ByteSource) throws(ReadProblem) {
        self.source = source
        while mayBeTable, bytes.count < HeadSource.largest {
            let known = bytes.count
            guard try readMore() else { break }
            examine(bytes[known..<min(bytes.count, HeadSource.largest)])
        }
        mayBeTable = mayBeTable && hasStarted
    }

    private func examine(_ new: ArraySlice<UInt8>) {
        if !hasStarted, let first = new.first(where: { !JSONExtent.isSpace($0) && $0 < 0x80 }) {
            hasStarted = true
            mayBeTable = first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
        }
        let isReceipt = bytes.count > 1 && bytes[0] == 0x30 && bytes[1] >= 0x80
        if isReceipt || new.contains(0) { mayBeTable = false }
    }

    private func readMore() throws(ReadProblem) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        // Typed throws don't pass through the closure over an array's bytes.
        let result = chunk.withUnsafeMutableBytes { bytes in
            Result { () throws(ReadProblem) in try source.read(into: bytes) }
        }
        let count = try result.get()
        bytes.append(contentsOf: chunk[..<count])
        return count > 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        guard position < bytes.count else { return try source.read(into: buffer) }
        let count = min(buffer.count, bytes.count - position)
        bytes.withUnsafeBytes { bytes in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
        }
        position += count
        return count
    }
}
