import Dispatch

/// Reads and decodes blocks on a thread of its own, in order, a few blocks ahead.
///
/// A block is either with the decoding thread, or ready, or with the visitor: the semaphores hand
/// it over, and the names that it uses with it.
final class ReadAhead: @unchecked Sendable {
    private static let blockCount = 4

    private let lock = DispatchSemaphore(value: 1)
    private let readyCount = DispatchSemaphore(value: 0)
    /// Begins at 0 and is signalled for each block: where reading stops early not all come back,
    /// and a semaphore may not end below the value that it began with.
    private let freeCount = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private var ready: [LineBlock] = []
    private var free: [LineBlock] = (0..<ReadAhead.blockCount).map { _ in LineBlock() }
    private var problem: ReadProblem?
    private var isStopped = false
    private var stream: LineStream

    private let reader: BlockReader
    private let decoder: LineDecoder
    /// The closure called with each block's lines on this thread, and the number of lines so far.
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
        // One signal without a block: the end.
        readyCount.signal()
        finished.signal()
    }

    /// Returns the next block; `nil` at the end.
    func next() throws -> LineBlock? {
        readyCount.wait()
        return try locked {
            if !ready.isEmpty { return ready.removeFirst() }
            if let problem { throw problem }
            // The end stays the end.
            readyCount.signal()
            return nil
        }
    }

    /// Returns a visited block to the decoding thread.
    func giveBack(_ block: LineBlock) {
        locked { free.append(block) }
        freeCount.signal()
    }

    /// Stops the thread and waits for its end; returns the state of the stream.
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
