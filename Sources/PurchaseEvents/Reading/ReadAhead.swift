import Dispatch

/// Reads and decodes blocks on its own thread, in order, a few blocks ahead of the visitor.
///
/// Each block belongs to the decoding thread, is ready, or belongs to the visitor. The semaphores
/// hand over a block together with the names that the block uses.
final class ReadAhead: @unchecked Sendable {
    private static let blockCount = 4

    private let lock = DispatchSemaphore(value: 1)
    private let readyCount = DispatchSemaphore(value: 0)
    /// Counts the free blocks, from an initial value of 0.
    ///
    /// If reading stops early, some blocks don't come back, and a semaphore must not end below its
    /// initial value.
    private let freeCount = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private var ready: [LineBlock] = []
    private var free: [LineBlock] = (0..<ReadAhead.blockCount).map { _ in LineBlock() }
    private var problem: ReadProblem?
    private var isStopped = false
    private var stream: LineStream

    private let reader: BlockReader
    private let decoder: LineDecoder
    /// The closure that receives each block's lines on the decoding thread.
    private let early: (@Sendable (ReadLines) -> Void)?
    private var lines: Int

    init(
        _ source: any ByteSource, _ decoder: LineDecoder, _ stream: LineStream,
        after lines: Int, _ early: (@Sendable (ReadLines) -> Void)?
    ) {
        reader = BlockReader(source)
        self.decoder = decoder
        self.stream = stream
        self.lines = lines
        self.early = early
        for _ in free { freeCount.signal() }
        DispatchQueue.global(qos: .userInitiated).async { self.run() }
    }

    private func run() {
        while true {
            freeCount.wait()
            guard let block = locked({ isStopped ? nil : free.removeLast() }) else { break }
            do {
                guard try reader.fill(block) else { break }
            } catch {
                locked { problem = error }
                break
            }
            block.decode(by: decoder, &stream)
            early?(ReadLines(block, after: lines))
            lines += block.count
            locked { ready.append(block) }
            readyCount.signal()
        }
        // A signal without a block marks the end.
        readyCount.signal()
        finished.signal()
    }

    /// Returns the next block; `nil` at the end.
    func next() throws -> LineBlock? {
        readyCount.wait()
        return try locked {
            if !ready.isEmpty { return ready.removeFirst() }
            if let problem { throw problem }
            // Later calls find the end too.
            readyCount.signal()
            return nil
        }
    }

    /// Returns a visited block to the decoding thread.
    func giveBack(_ block: LineBlock) {
        locked { free.append(block) }
        freeCount.signal()
    }

    /// Stops the thread, waits for its end, and returns the state of the stream.
    func stop() -> LineStream {
        locked { isStopped = true }
        freeCount.signal()
        finished.wait()
        return stream
    }

    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.wait()
        defer { lock.signal() }
        return try body()
    }
}
