/// The blocks of a snapshot: each holds up to 1 MiB of bytes, with their number, their count and a
/// checksum of all three in front; the last one is marked.
///
/// A changed bit, a missing or exchanged block and a cut are all noticed before a byte of the block
/// is used. A snapshot isn't protected from someone who makes a wrong one on purpose: its file
/// belongs to the user who runs the check, like the program itself.
enum SnapshotBlock {
    static let headSize = 16
    static let capacity = 1 << 20
    /// Set in the count of the last block.
    static let lastMark: UInt64 = 1 << 63

    /// The checksum of a block.
    static func checksum(
        _ bytes: UnsafeRawBufferPointer, _ number: UInt64, _ count: UInt64
    ) -> UInt64 {
        ByteHash.hash(bytes, HashKey.Half(state: number ^ 0x9E37_79B9_7F4A_7C15, word: ~count))
    }
}

/// Writes bytes as the blocks of a snapshot.
///
/// After the first error, nothing more is written, and ``end()`` throws the error.
package final class SnapshotWriter {
    private let append: (UnsafeRawBufferPointer) throws -> Void
    private let buffer: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var number: UInt64 = 0
    private var problem: (any Error)?
    /// The number of bytes written so far, without the heads of blocks.
    package private(set) var count = 0

    /// Creates a writer that passes on each block.
    package init(_ append: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.append = append
        buffer = .allocate(
            byteCount: SnapshotBlock.headSize + SnapshotBlock.capacity, alignment: 16)
    }

    deinit { buffer.deallocate() }

    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        count += bytes.count
        while rest.count > 0 {
            if filled == SnapshotBlock.capacity { flush(isLast: false) }
            let taken = min(rest.count, SnapshotBlock.capacity - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[(SnapshotBlock.headSize + filled)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<taken]))
            filled += taken
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
        }
    }

    /// Writes the last block.
    package func end() throws {
        flush(isLast: true)
        if let problem { throw problem }
    }

    private func flush(isLast: Bool) {
        let count = UInt64(filled) | (isLast ? SnapshotBlock.lastMark : 0)
        let block = UnsafeRawBufferPointer(
            rebasing: buffer[..<(SnapshotBlock.headSize + filled)])
        let content = UnsafeRawBufferPointer(rebasing: block[SnapshotBlock.headSize...])
        buffer.storeBytes(of: count, as: UInt64.self)
        buffer.storeBytes(
            of: SnapshotBlock.checksum(content, number, count), toByteOffset: 8, as: UInt64.self)
        number += 1
        filled = 0
        guard problem == nil else { return }
        do { try append(block) } catch { problem = error }
    }
}

/// Reads the bytes of a snapshot's blocks.
package final class SnapshotReader {
    private let source: any ByteSource
    private let size: Int
    private let buffer: UnsafeMutableRawBufferPointer
    /// The unread bytes of the current block in the buffer.
    private var rest = 0..<0
    private var number: UInt64 = 0
    private var isLast = false
    /// The number of bytes read from the source.
    private var taken = 0
    /// The error of the operating system that ended reading.
    package private(set) var problem: ReadProblem?
    /// Whether a block was wrong or missing, or a value can't be right; all later bytes are 0.
    package private(set) var isDamaged = false

    /// Creates a reader of a source with this number of bytes.
    package init(_ source: any ByteSource, size: Int) {
        self.source = source
        self.size = size
        buffer = .allocate(byteCount: SnapshotBlock.capacity, alignment: 16)
    }

    deinit { buffer.deallocate() }

    func read(into bytes: UnsafeMutableRawBufferPointer) {
        var filled = 0
        while filled < bytes.count {
            if rest.isEmpty { nextBlock() }
            guard !isDamaged, !rest.isEmpty else {
                damage()
                for place in filled..<bytes.count { bytes[place] = 0 }
                return
            }
            let count = min(bytes.count - filled, rest.count)
            UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: buffer[rest.prefix(count)]))
            filled += count
            rest.removeFirst(count)
        }
    }

    /// Whether this many values of a size may still come; otherwise the snapshot is damaged.
    func holds(_ count: Int, ofSize size: Int) -> Bool {
        let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: max(size, 1))
        if isDamaged || count < 0 || isTooMuch || bytes > rest.count + self.size - taken {
            damage()
        }
        return !isDamaged
    }

    /// Marks the snapshot as damaged.
    package func damage() {
        isDamaged = true
        rest = 0..<0
    }

    /// Whether all bytes were read and all blocks were right.
    package func isAtEnd() -> Bool {
        if !isLast, rest.isEmpty { nextBlock() }
        return !isDamaged && isLast && rest.isEmpty && taken == size
    }

    private func nextBlock() {
        guard !isDamaged, !isLast else { return damage() }
        var head: (count: UInt64, checksum: UInt64) = (0, 0)
        guard withUnsafeMutableBytes(of: &head, { fill($0) }) else { return damage() }
        isLast = head.count & SnapshotBlock.lastMark != 0
        let count = head.count & ~SnapshotBlock.lastMark
        guard count <= SnapshotBlock.capacity else { return damage() }
        let content = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
        guard fill(content),
            SnapshotBlock.checksum(UnsafeRawBufferPointer(content), number, head.count)
                == head.checksum
        else { return damage() }
        number += 1
        rest = 0..<Int(count)
        if rest.isEmpty, !isLast { damage() }
    }

    /// Fills a buffer from the source; `false` if the source ends before.
    private func fill(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < bytes.count {
            do throws(ReadProblem) {
                let count = try source.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
                guard count > 0 else { return false }
                filled += count
                taken += count
            } catch {
                problem = error
                return false
            }
        }
        return true
    }
}
