import PurchaseEvents

/// A source whose first bytes show whether it may be a table.
final class HeadSource: ByteSource {
    /// The most bytes to examine.
    private static let largest = 1 << 20

    /// The first bytes; all bytes if they are few.
    var head: ArraySlice<UInt8> { source.head.prefix(HeadSource.largest) }
    /// Whether the first bytes may begin a table, rather than JSON or a binary receipt.
    private(set) var mayBeTable = true
    private let source: ExaminedSource
    /// Whether the first byte that isn't white space was seen.
    private var hasStarted = false

    /// Reads the first bytes of a source, only a few if it can't be a table, and keeps them for
    /// reading.
    init(_ source: any ByteSource) throws(ReadProblem) {
        self.source = ExaminedSource(source)
        while mayBeTable, self.source.head.count < HeadSource.largest {
            let new = try self.source.examineMore(1 << 16)
            if new.isEmpty { break }
            examine(new.prefix(HeadSource.largest - new.startIndex))
        }
        mayBeTable = mayBeTable && hasStarted
    }

    private func examine(_ new: ArraySlice<UInt8>) {
        if !hasStarted, let first = new.first(where: { !JSONReader.isSpace($0) && $0 < 0x80 }) {
            hasStarted = true
            mayBeTable = first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
        }
        let isReceipt = head.count > 1 && head[0] == 0x30 && head[1] >= 0x80
        if isReceipt || new.contains(0) { mayBeTable = false }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        try source.read(into: buffer)
    }
}
