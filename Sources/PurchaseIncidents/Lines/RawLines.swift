import PurchaseEvents

/// Reads the lines of a log one by one; memory grows with the longest line, not with the log.
final class RawLines {
    private var unopened: ArraySlice<LogParts.Part>
    private var source: (any ByteSource)?
    private var path = ""
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    /// The range of the buffer that was read and not returned yet.
    private var unread = 0..<0
    /// The number of lines returned so far.
    private(set) var count = 0

    init(_ log: LogParts) { unopened = log.parts[...] }

    deinit { buffer.deallocate() }

    /// The bytes of the next line without its newline, valid until the next call; `nil` at the end.
    func next() throws -> UnsafeRawBufferPointer? {
        var searched = 0
        while true {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[unread])
            if let end = bytes.endOfLine(from: searched) {
                count += 1
                unread = unread.lowerBound + end + 1..<unread.upperBound
                return UnsafeRawBufferPointer(rebasing: bytes[..<end])
            }
            searched = bytes.count
            if try fill() { continue }
            guard searched > 0 else {
                guard try openNext() else { return nil }
                continue
            }
            count += 1
            unread = 0..<0
            return bytes
        }
    }

    /// Opens the next file; returns `false` after the last one.
    private func openNext() throws -> Bool {
        guard let part = unopened.popFirst() else { return false }
        source = try part.open()
        path = part.path
        return true
    }

    /// Reads more bytes after the unread ones; returns `false` at the end of the file.
    private func fill() throws -> Bool {
        guard let source else { return false }
        if unread.lowerBound > 0 {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
            unread = 0..<unread.count
        }
        if unread.count == buffer.count { grow() }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[unread.upperBound...])
        let count: Int
        do throws(ReadProblem) {
            count = try source.read(into: room)
        } catch {
            throw PartProblem(path: path, problem: error)
        }
        if count == 0 { self.source = nil }
        unread = 0..<unread.count + count
        return count > 0
    }

    private func grow() {
        let grown = UnsafeMutableRawBufferPointer.allocate(
            byteCount: buffer.count * 2, alignment: 16)
        grown.copyMemory(from: UnsafeRawBufferPointer(buffer))
        buffer.deallocate()
        buffer = grown
    }
}
