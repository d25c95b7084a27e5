import Dispatch

/// Reads and decodes blocks on its own thread, in order, a few blocks ahead of the visitor.
///
/// Each block belongs to the decoding thread, is ready, or belongs to the visitor. The lock hands
/// over a block together with the names that the block uses. To wake a thread can cost as much as
/// to decode a block, so a thread is only signalled while it sleeps, and the decoding thread
/// sleeps until half of the blocks are free.
final class ReadAhead: @unchecked Sendable {
    private static let blockCount = 8

    private struct Blocks: @unchecked Sendable {
        var ready: [LineBlock] = []
        var free = (0..<ReadAhead.blockCount).map { _ in LineBlock() }
        var problem: ReadProblem?
        var isAtEnd = false
        var isStopped = false
        var isDecoderAsleep = false
        var isVisitorAsleep = false
    }

    private let blocks = Protected(Blocks())
    private let decoderWakeup = DispatchSemaphore(value: 0)
    private let visitorWakeup = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)
    private var stream: LineStream

    private let reader: BlockReader
    private let decoder: LineDecoder
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
        DispatchQueue.global(qos: .userInitiated).async { self.run() }
    }

    private func run() {
        var problem: ReadProblem?
        do {
            while let block = freeBlock(), try reader.fill(block) {
                block.decode(by: decoder, &stream)
                early?(ReadLines(block, after: lines))
                lines += block.count
                change { $0.ready.append(block) }
            }
        } catch {
            problem = error
        }
        change { ($0.problem, $0.isAtEnd) = (problem, true) }
        finished.signal()
    }

    private func freeBlock() -> LineBlock? {
        while true {
            let (block, isStopped) = blocks.withLock { blocks in
                let block = blocks.isStopped ? nil : blocks.free.popLast()
                blocks.isDecoderAsleep = block == nil && !blocks.isStopped
                return (block, blocks.isStopped)
            }
            if block != nil || isStopped { return block }
            decoderWakeup.wait()
        }
    }

    func next() throws -> LineBlock? {
        while true {
            let (block, isAtEnd) = try blocks.withLock { blocks in
                let block = blocks.ready.isEmpty ? nil : blocks.ready.removeFirst()
                if block == nil, let problem = blocks.problem { throw problem }
                blocks.isVisitorAsleep = block == nil && !blocks.isAtEnd
                return (block, blocks.isAtEnd)
            }
            if block != nil || isAtEnd { return block }
            visitorWakeup.wait()
        }
    }

    func giveBack(_ block: LineBlock) { change { $0.free.append(block) } }

    func stop() -> LineStream {
        change { $0.isStopped = true }
        finished.wait()
        return stream
    }

    /// Changes the blocks, then wakes each thread that sleeps and has something to do.
    private func change(_ body: (inout Blocks) -> Void) {
        let (wakesDecoder, wakesVisitor) = blocks.withLock { blocks in
            body(&blocks)
            let hasRoom = blocks.isStopped || blocks.free.count >= ReadAhead.blockCount / 2
            let wakesDecoder = blocks.isDecoderAsleep && hasRoom
            let wakesVisitor = blocks.isVisitorAsleep && (blocks.isAtEnd || !blocks.ready.isEmpty)
            if wakesDecoder { blocks.isDecoderAsleep = false }
            if wakesVisitor { blocks.isVisitorAsleep = false }
            return (wakesDecoder, wakesVisitor)
        }
        if wakesDecoder { decoderWakeup.signal() }
        if wakesVisitor { visitorWakeup.signal() }
    }
}
