@testable import PurchaseEvents

/// Reads arbitrary bytes as a log in portions of any size: the result doesn't depend on the
/// portions, and every byte and line is accounted for. The same holds for its chain.
enum ReaderFuzz {
    static func run(_ input: UnsafeRawBufferPointer) throws {
        guard input.count > 1 else { return }
        // The first byte decides how the rest is divided and stretched: long lines would be rare
        // otherwise.
        let (how, log) = (input[0], stretched(Array(input[1...]), by: input[0]))
        let whole = try read(MemorySource(log), threads: 1)
        // Threads cost more than everything else.
        let threads = how & 15 == 15 ? 2 : 1
        let pieces = try read(PortionSource(log, how), threads: threads)
        precondition(whole.lines == pieces.lines, "portions change nothing")
        precondition(whole.counts == pieces.counts, "portions change no count")
        precondition(whole.counts.addUp, "every line is accounted for")
        precondition(
            whole.counts.bytes == log.count || whole.lines.contains { $0.count > 65_536 },
            "every byte is accounted for")
        let chained = try verdict(MemorySource(log), threads: 1)
        let again = try verdict(PortionSource(log, how), threads: threads)
        precondition(chained == again, "portions and threads change no verdict")
    }

    /// The log, sometimes with one byte replaced by very many.
    private static func stretched(_ log: [UInt8], by how: UInt8) -> [UInt8] {
        guard how > 250, let place = log.firstIndex(of: UInt8(ascii: "~")) else { return log }
        return Array(log[..<place]) + [UInt8](repeating: how, count: 65_400 + Int(how))
            + Array(log[(place + 1)...])
    }

    private struct Line: Equatable {
        var count: Int
        var decoded: DecodedLine<Interned>
        var notes: [Diagnostic]
    }

    private static func read(
        _ source: any ByteSource, threads: Int
    ) throws -> (lines: [Line], counts: LineCounts) {
        let reader = LogReader(threads: threads)
        var lines: [Line] = []
        try reader.read(source) { line in
            precondition(line.number == lines.count + 1, "lines are counted")
            lines.append(
                Line(count: line.bytes.count, decoded: line.decoded, notes: line.notes))
            return true
        }
        return (lines, reader.counts)
    }

    private static func verdict(_ source: any ByteSource, threads: Int) throws -> ChainVerdict {
        let verifier = ChainVerifier(threads: threads)
        try verifier.read(source)
        return verifier.finish()
    }
}

/// A source that returns its bytes in portions determined by a number.
private final class PortionSource: ByteSource {
    private let bytes: [UInt8]
    private var position = 0
    private var state: UInt64

    init(_ bytes: [UInt8], _ how: UInt8) {
        self.bytes = bytes
        state = UInt64(how) + 1
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let wanted = Int((state >> 33) % 97) + 1
        let count = min(buffer.count, bytes.count - position, wanted * wanted)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}

#if FUZZING
    /// Called by libFuzzer with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
        do {
            try ReaderFuzz.run(UnsafeRawBufferPointer(start: start, count: count))
        } catch {
            preconditionFailure("memory can be read: \(error)")
        }
        return 0
    }
#endif
