import PurchaseEvents

/// The canonical bytes of the statements that registers hold, in chunks that never move: a long log
/// keeps many, and a single array would be copied again and again as it grows.
struct StatementBytes: Sendable {
    /// Where the bytes of a statement lie.
    struct Place: Sendable {
        fileprivate var chunk: UInt32 = 0
        fileprivate var start: UInt32 = 0
        /// How many bytes there are.
        fileprivate(set) var count: UInt32 = 0
    }

    private static let chunkSize = 1 << 18

    private var chunks: [[UInt8]] = []
    /// All bytes, and those that no statement needs any more.
    private(set) var count = 0
    private(set) var garbage = 0

    /// Keeps bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Place {
        let isFull = chunks.last.map { $0.count + bytes.count > StatementBytes.chunkSize } ?? true
        if isFull {
            chunks.append([])
            // The first chunk grows as it needs to: most logs are short.
            if chunks.count > 1 {
                let size = max(StatementBytes.chunkSize, bytes.count)
                chunks[chunks.count - 1].reserveCapacity(size)
            }
        }
        let chunk = chunks.count - 1
        let place = Place(
            chunk: UInt32(chunk), start: UInt32(chunks[chunk].count), count: UInt32(bytes.count))
        chunks[chunk].append(contentsOf: bytes.bindMemory(to: UInt8.self))
        count += bytes.count
        return place
    }

    /// Forgets bytes; those that were kept last are given back at once.
    mutating func forget(_ place: Place) {
        let chunk = Int(place.chunk)
        let end = Int(place.start) + Int(place.count)
        if chunk == chunks.count - 1, end == chunks[chunk].count {
            chunks[chunk].removeLast(Int(place.count))
            count -= Int(place.count)
        } else {
            garbage += Int(place.count)
        }
    }

    /// Whether the bytes of one statement come before those of another.
    func precedes(_ left: Place, _ right: Place) -> Bool {
        withBytes(left) { left in withBytes(right) { left.precedes($0) } }
    }

    func withBytes<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        chunks[Int(place.chunk)].withUnsafeBytes { chunk in
            let start = Int(place.start)
            return body(
                UnsafeRawBufferPointer(rebasing: chunk[start..<start + Int(place.count)]))
        }
    }
}
