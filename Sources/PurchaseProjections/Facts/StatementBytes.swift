import PurchaseEvents

/// The canonical bytes of the statements that registers hold, packed, in chunks that never move: a
/// long log keeps many, and a single array would be copied again and again as it grows.
struct StatementBytes: Sendable {
    /// Where the bytes of a statement lie.
    struct Place: Sendable {
        fileprivate var chunk: UInt32 = 0
        fileprivate var start: UInt32 = 0
        /// How many bytes there are.
        fileprivate(set) var count: UInt32 = 0
    }

    private static let chunkSize = 1 << 18

    private var packer = StatementPacker()
    private var chunks: [[UInt8]] = []
    /// All bytes, and those that no statement needs any more.
    private(set) var count = 0
    private(set) var garbage = 0

    /// Keeps a statement of a type: the type's place among all types by the bytes of their names,
    /// which statements begin with, and what follows the name.
    mutating func append(_ type: EventType, _ statement: UnsafeRawBufferPointer) -> Place {
        // Only statements of one type are compared beyond it.
        let name = type.wireName.utf8.count + #""type":"""#.utf8.count
        let rest = UnsafeRawBufferPointer(rebasing: statement.dropFirst(name))
        let room = 1 + StatementPacker.room(for: rest.count)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
            guard let start = bytes.baseAddress else { return Place() }
            start.initialize(to: StatementBytes.ranks[Int(type.rawValue)])
            let count = 1 + packer.pack(rest, to: start + 1)
            return append(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

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

    /// Whether the canonical bytes of one statement come before those of another.
    func precedes(_ left: Place, _ right: Place) -> Bool {
        withBytes(left) { left in
            withBytes(right) { right in
                // Mostly a statement is made again as it was.
                if left.elementsEqual(right) { return false }
                guard left[0] == right[0] else { return left[0] < right[0] }
                let (old, new) = (StatementBytes.text(of: left), StatementBytes.text(of: right))
                return old.withUnsafeBytes { old in new.withUnsafeBytes { old.precedes($0) } }
            }
        }
    }

    /// With the brace that ends a statement, by which 5000 is greater than 50000.
    private static func text(of packed: UnsafeRawBufferPointer) -> [UInt8] {
        let rest = UnsafeRawBufferPointer(rebasing: packed.dropFirst())
        return StatementPacking.unpack(rest) + CollectionOfOne(UInt8(ascii: "}"))
    }

    /// The place of each type among all types by the bytes of their names.
    private static let ranks: [UInt8] = {
        let sorted = EventType.allCases.sorted { $0.wireName < $1.wireName }
        return EventType.allCases.map { UInt8(sorted.firstIndex(of: $0) ?? 0) }
    }()

    func withBytes<Result>(_ place: Place, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        chunks[Int(place.chunk)].withUnsafeBytes { chunk in
            let start = Int(place.start)
            return body(
                UnsafeRawBufferPointer(rebasing: chunk[start..<start + Int(place.count)]))
        }
    }
}
