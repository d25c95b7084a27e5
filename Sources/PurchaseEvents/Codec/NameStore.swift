/// Names in memory that never moves: each has a number, 0, 1, 2, …
///
/// The places of the names lie in chunks, each twice as long as the one before; a directory that
/// is as long as it can ever be points to the chunks.
struct NameStore: ~Copyable {
    private static let chunkCount = 28
    private static let arenaSize = 64 << 10

    private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeRawPointer?>?>
    private var arenas: [UnsafeMutableRawPointer] = []
    /// How many bytes of the last arena are taken.
    private var taken = NameStore.arenaSize
    private(set) var count = 0

    init() {
        chunks = .allocate(capacity: NameStore.chunkCount)
        chunks.initialize(repeating: nil, count: NameStore.chunkCount)
    }

    deinit {
        for index in 0..<NameStore.chunkCount { chunks[index]?.deallocate() }
        chunks.deallocate()
        for arena in arenas { arena.deallocate() }
    }

    /// The bytes of a name.
    ///
    /// - Precondition: the number is of this store.
    @inline(__always)
    subscript(number: UInt32) -> UnsafeRawBufferPointer {
        let (chunk, offset) = NameStore.place(of: number)
        guard let place = chunks[chunk]?[offset] else {
            preconditionFailure("a handle of another table")
        }
        // The first byte is the length.
        let length = Int(place.load(as: UInt8.self))
        return UnsafeRawBufferPointer(start: place + 1, count: length)
    }

    /// Adds a name of at most 255 bytes; its number.
    mutating func append(_ name: UnsafeRawBufferPointer) -> UInt32 {
        precondition(count < Int(UInt32.max) - 16, "at most 2^32 − 17 names of one role")
        precondition(name.count <= NameCheck.maximumLength, "a name of at most 255 bytes")
        let number = UInt32(count)
        let (chunk, offset) = NameStore.place(of: number)
        let places = chunks[chunk] ?? newChunk(chunk)
        if taken + name.count + 1 > NameStore.arenaSize {
            arenas.append(.allocate(byteCount: NameStore.arenaSize, alignment: 16))
            taken = 0
        }
        let place = arenas[arenas.count - 1] + taken
        place.storeBytes(of: UInt8(name.count), as: UInt8.self)
        if let base = name.baseAddress {
            (place + 1).copyMemory(from: base, byteCount: name.count)
        }
        taken += name.count + 1
        places[offset] = UnsafeRawPointer(place)
        count += 1
        return number
    }

    private mutating func newChunk(
        _ chunk: Int
    ) -> UnsafeMutablePointer<UnsafeRawPointer?> {
        let places = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: 16 << chunk)
        places.initialize(repeating: nil, count: 16 << chunk)
        chunks[chunk] = places
        return places
    }

    /// The chunk of a number and the place in it: chunk 0 has 16 places, the next 32, …
    @inline(__always)
    private static func place(of number: UInt32) -> (chunk: Int, offset: Int) {
        let shifted = UInt64(number) &+ 16
        let chunk = 59 &- shifted.leadingZeroBitCount
        return (chunk, Int(shifted) &- (16 << chunk))
    }
}
