/// New lines on their way into a log: numbered and written out, but in no file yet.
///
/// Staging is apart from writing so that several appends can share one write and one sync.
struct Batch: Sendable {
    /// How far a batch had come when it was asked.
    struct Place {
        fileprivate let lines: Int
        fileprivate let bytes: Int
        fileprivate let nextSeq: Int64
        fileprivate let chain: Chain?
    }

    /// Room for an ordinary line, its end and its chain value.
    private static let usualLine = 384
    /// The most lines that room is made for before they are there.
    private static let mostExpected = 1 << 14

    /// What is told of the new lines, in their order, once the bytes are safe.
    private(set) var lines: [Appended] = []
    /// The new lines, each with its end.
    private(set) var bytes: [UInt8] = []
    /// Where the new lines' `id`s stand, from the start of ``bytes``; more than one place where
    /// two have the same fingerprint.
    private(set) var ids: [Fingerprint: [Int64]] = [:]
    /// The `seq` that the next new line gets.
    private(set) var nextSeq: Int64

    /// The chain up to the last new line; `nil` in a log that isn't chained.
    private(set) var chain: Chain?

    /// An empty batch, with room for about so many lines.
    init(nextSeq: Int64, chain: Chain?, expecting count: Int = 0) {
        self.nextSeq = nextSeq
        self.chain = chain
        let room = min(count, Batch.mostExpected)
        lines.reserveCapacity(room)
        bytes.reserveCapacity(room * Batch.usualLine)
    }

    /// How far it has come.
    var place: Place {
        Place(lines: lines.count, bytes: bytes.count, nextSeq: nextSeq, chain: chain)
    }

    /// Takes the line that a writer wrote, and gives it its chain value where the log is chained.
    mutating func add(
        _ writer: inout LineWriter, id: Fingerprint?
    ) throws(WritingProblem) -> Appended {
        if var next = chain {
            try writer.seal(in: &next)
            chain = next
        }
        if let id { ids[id, default: []].append(Int64(bytes.count)) }
        bytes.append(contentsOf: writer.written)
        bytes.append(UInt8(ascii: "\n"))
        let answer = Appended(outcome: .appended, seq: nextSeq, line: Array(writer.written))
        lines.append(answer)
        nextSeq += 1
        return answer
    }

    /// Takes back what came behind a place.
    mutating func takeBack(to place: Place) {
        guard bytes.count > place.bytes else { return }
        lines.removeLast(lines.count - place.lines)
        bytes.removeLast(bytes.count - place.bytes)
        let kept = Int64(place.bytes)
        ids = ids.mapValues { $0.filter { $0 < kept } }.filter { !$0.value.isEmpty }
        nextSeq = place.nextSeq
        chain = place.chain
    }

    /// The line that begins at an offset of ``bytes``.
    func line(at offset: Int64) -> [UInt8] {
        Array(bytes[Int(offset)...].prefix { $0 != UInt8(ascii: "\n") })
    }
}
