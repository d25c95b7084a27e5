import Dispatch

/// The blocks of a snapshot: each holds up to 1 MiB of bytes, with their number, their count and a
/// checksum of all three in front; the last one is marked.
///
/// A changed bit, a missing or exchanged block and a cut are all noticed before a byte of the block
/// is used. A snapshot isn't protected from someone who makes a wrong one on purpose: its file
/// belongs to the user who runs the check, like the program itself.
enum SnapshotBlock {
    static let headSize = 16
    static let capacity = 1 << 20
    static let lastMark: UInt64 = 1 << 63

    static func checksum(
        _ bytes: UnsafeRawBufferPointer, _ number: UInt64, _ count: UInt64
    ) -> UInt64 {
        ByteHash.hash(bytes, HashKey.Half(state: number ^ 0x9E37_79B9_7F4A_7C15, word: ~count))
    }
}

/// Writes bytes as the blocks of a snapshot, on another thread; after the first error, nothing more
/// is written, and ``end()`` throws it.
package final class SnapshotWriter {
    private let output: BlockOutput
    private var buffer: UnsafeMutableRawBufferPointer
    private var spare: UnsafeMutableRawBufferPointer
    private var filled = 0
    private var number: UInt64 = 0
    package private(set) var offset: Int

    /// Creates a writer that passes on each block with its offset, in order; `sync` is called now
    /// and then, and at the end, so that the disk is busy meanwhile.
    package init(
        at offset: Int = 0,
        _ append: @escaping @Sendable (UnsafeRawBufferPointer, Int) throws -> Void,
        sync: @escaping @Sendable () -> Void = {}
    ) {
        self.offset = offset
        output = BlockOutput(append, sync)
        (buffer, spare) = (SnapshotWriter.block(), SnapshotWriter.block())
    }

    deinit {
        output.finish()
        buffer.deallocate()
        spare.deallocate()
    }

    private static func block() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: SnapshotBlock.headSize + SnapshotBlock.capacity, alignment: 16)
    }

    func write(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while rest.count > 0 {
            if filled == SnapshotBlock.capacity { flush(isLast: false) }
            let taken = min(rest.count, SnapshotBlock.capacity - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[(SnapshotBlock.headSize + filled)...])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<taken]))
            filled += taken
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
        }
    }

    /// Lets the disk write what is there, while the caller does something else.
    package func rest() {
        if filled > 0 { flush(isLast: false) }
        output.sync()
    }

    package func end() throws {
        flush(isLast: true)
        if let problem = output.finish() { throw problem }
    }

    package static func bytes(_ write: (FieldVisitor) -> Void) -> [UInt8] {
        let bytes = Protected<[UInt8]>([])
        let writer = SnapshotWriter({ block, _ in bytes.withLock { $0 += block } })
        write(FieldVisitor(writer))
        // Memory takes all bytes.
        try? writer.end()
        return bytes.withLock { $0 }
    }

    private func flush(isLast: Bool) {
        let size = SnapshotBlock.headSize + filled
        output.write(
            SendableBlock(bytes: UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])), number,
            at: offset, isLast: isLast)
        number += 1
        offset += size
        filled = 0
        swap(&buffer, &spare)
    }
}

/// A block that one thread at a time uses.
private struct SendableBlock: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
}

/// The thread that adds the heads of blocks and passes the blocks on.
private final class BlockOutput: Sendable {
    private let append: @Sendable (UnsafeRawBufferPointer, Int) throws -> Void
    private let onSync: @Sendable () -> Void
    private let queue = DispatchQueue(label: "purchase-events.snapshot-blocks")
    private let syncs = DispatchQueue(label: "purchase-events.snapshot-syncs")
    private let problem = Protected<(any Error)?>(nil)
    private static let syncInterval: UInt64 = 64

    init(
        _ append: @escaping @Sendable (UnsafeRawBufferPointer, Int) throws -> Void,
        _ onSync: @escaping @Sendable () -> Void
    ) { (self.append, self.onSync) = (append, onSync) }

    /// Writes a block, which belongs to the thread until the next call returns.
    func write(_ block: SendableBlock, _ number: UInt64, at offset: Int, isLast: Bool) {
        wait()
        queue.async { [self] in
            let bytes = block.bytes
            let content = UnsafeRawBufferPointer(rebasing: bytes[SnapshotBlock.headSize...])
            let count = UInt64(content.count) | (isLast ? SnapshotBlock.lastMark : 0)
            bytes.storeBytes(of: count, as: UInt64.self)
            bytes.storeBytes(
                of: SnapshotBlock.checksum(content, number, count), toByteOffset: 8,
                as: UInt64.self)
            guard problem.withLock({ $0 == nil }) else { return }
            do {
                try append(UnsafeRawBufferPointer(bytes), offset)
                if number % BlockOutput.syncInterval == BlockOutput.syncInterval - 1 { sync() }
            } catch {
                problem.withLock { $0 = error }
            }
        }
    }

    func sync() { syncs.async { [self] in onSync() } }

    func wait() { queue.sync {} }

    /// Waits until all blocks are passed on and the disk rests; returns the first error.
    @discardableResult
    func finish() -> (any Error)? {
        wait()
        syncs.sync {}
        return problem.withLock { $0 }
    }
}

/// Reads the bytes of a snapshot's blocks; another thread reads the next block and checks it.
package final class SnapshotReader {
    private struct Progress {
        var rest = UnsafeRawBufferPointer(start: nil, count: 0)
        var taken = 0
        var isLast = false
        var isDamaged = false
    }

    private let input: BlockInput
    private let size: Int
    /// In memory of its own: most reads are of a few bytes, so checks of exclusive access would
    /// cost more than they do.
    private let progress = UnsafeMutablePointer<Progress>.allocate(capacity: 1)

    /// The bytes in blocks that were taken, with their heads.
    package var taken: Int { progress.pointee.taken }
    /// Whether a block was wrong or missing, or a value can't be right; all later bytes are 0.
    package var isDamaged: Bool { progress.pointee.isDamaged }

    package init(_ source: any ByteSource, size: Int) {
        self.size = size
        progress.initialize(to: Progress())
        input = BlockInput(source)
        input.begin()
    }

    deinit {
        input.stop()
        progress.deallocate()
    }

    package var problem: ReadProblem? { input.problem }

    func read(into bytes: UnsafeMutableRawBufferPointer) {
        var target = bytes
        while target.count > progress.pointee.rest.count {
            let rest = progress.pointee.rest
            target.copyMemory(from: rest)
            target = UnsafeMutableRawBufferPointer(rebasing: target[rest.count...])
            nextBlock()
            guard !isDamaged else {
                for place in target.indices { target[place] = 0 }
                return
            }
        }
        let rest = progress.pointee.rest
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<target.count]))
        progress.pointee.rest = UnsafeRawBufferPointer(rebasing: rest[target.count...])
    }

    /// Whether this many values of a size may still come; otherwise the snapshot is damaged.
    func holds(_ count: Int, ofSize size: Int) -> Bool {
        let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: max(size, 1))
        let limit = progress.pointee.rest.count + self.size - taken
        if isDamaged || count < 0 || isTooMuch || bytes > limit { damage() }
        return !isDamaged
    }

    package func damage() {
        progress.pointee.isDamaged = true
        progress.pointee.rest = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    package func isAtEnd() -> Bool {
        if !progress.pointee.isLast, progress.pointee.rest.count == 0 { nextBlock() }
        return !isDamaged && progress.pointee.isLast && progress.pointee.rest.count == 0
            && taken == size
    }

    private func nextBlock() {
        guard !isDamaged, !progress.pointee.isLast, let block = input.next() else {
            return damage()
        }
        (progress.pointee.rest, progress.pointee.isLast) = (block.bytes, block.isLast)
        progress.pointee.taken += SnapshotBlock.headSize + block.bytes.count
        if block.bytes.count == 0, !block.isLast { damage() }
    }
}

/// The thread that reads blocks and checks them, one ahead of the reader.
private final class BlockInput: @unchecked Sendable {
    private let source: any ByteSource
    private let queue = DispatchQueue(label: "purchase-events.snapshot-blocks")
    private var buffer: UnsafeMutableRawBufferPointer
    private var spare: UnsafeMutableRawBufferPointer
    private var number: UInt64 = 0
    /// The block in ``buffer``, read and right; `nil` after the last one, and after damage.
    private var ready: (count: Int, isLast: Bool)?
    private var isOver = false
    private(set) var problem: ReadProblem?

    init(_ source: any ByteSource) {
        self.source = source
        buffer = .allocate(byteCount: SnapshotBlock.capacity, alignment: 16)
        spare = .allocate(byteCount: SnapshotBlock.capacity, alignment: 16)
    }

    deinit {
        buffer.deallocate()
        spare.deallocate()
    }

    func begin() { queue.async { [self] in fetch() } }

    func stop() { queue.sync {} }

    /// The next block, valid until the next call; `nil` if there is none that is right.
    func next() -> (bytes: UnsafeRawBufferPointer, isLast: Bool)? {
        queue.sync {}
        guard let ready else { return nil }
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<ready.count])
        swap(&buffer, &spare)
        begin()
        return (bytes, ready.isLast)
    }

    private func fetch() {
        ready = nil
        guard !isOver else { return }
        isOver = true
        var head: (count: UInt64, checksum: UInt64) = (0, 0)
        guard withUnsafeMutableBytes(of: &head, { fill($0) }) else { return }
        let count = head.count & ~SnapshotBlock.lastMark
        guard count <= SnapshotBlock.capacity else { return }
        let content = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)])
        guard fill(content),
            SnapshotBlock.checksum(UnsafeRawBufferPointer(content), number, head.count)
                == head.checksum
        else { return }
        number += 1
        let isLast = head.count & SnapshotBlock.lastMark != 0
        ready = (Int(count), isLast)
        isOver = isLast
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
            } catch {
                problem = error
                return false
            }
        }
        return true
    }
}
