/// Names, numbered 0, 1, 2, …, in memory that never moves.
///
/// A name in its role's usual form has a record of fixed size: 8 bytes for 16 decimal digits, 16
/// for a UUID in lower case. Any other name is stored verbatim in an arena, and its record holds
/// the place. Records and arenas are allocated in chunks, each twice as long as the one before; the
/// directories of the chunks have their full length from the start.
struct NameStore: ~Copyable {
    enum Form { case any, digits, uuid }

    private static let chunkCount = 28
    /// The first arena has 16 KiB.
    private static let arenaBits = 14, arenaCount = 34
    /// The high bits of a record whose low bits are the place of a verbatim name.
    private static let keptTag: UInt64 = 0xF << 60

    let form: Form
    private let chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>?>
    private let arenas: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// The number of arena bytes in use, including the gaps at the arenas' ends.
    private var taken = 0
    private(set) var count = 0

    init(_ form: Form) {
        self.form = form
        chunks = .allocate(capacity: NameStore.chunkCount)
        chunks.initialize(repeating: nil, count: NameStore.chunkCount)
        arenas = .allocate(capacity: NameStore.arenaCount)
        arenas.initialize(repeating: nil, count: NameStore.arenaCount)
    }

    deinit {
        for index in 0..<NameStore.chunkCount {
            guard let chunk = chunks[index] else { break }
            LongMemory.deallocate(chunk, capacity: words(ofChunk: index))
        }
        chunks.deallocate()
        for index in 0..<NameStore.arenaCount {
            guard let arena = arenas[index] else { break }
            LongMemory.deallocate(arena, byteCount: NameStore.size(ofArena: index))
        }
        arenas.deallocate()
    }

    /// Whether a name, whose number this store gave, has these bytes.
    @inline(__always)
    func areEqual(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) -> Bool {
        let record = record(of: number)
        if let kept = kept(record) { return NameIndex.areEqual(kept, bytes) }
        switch form {
        case .any: preconditionFailure("a handle of another table")
        case .digits: return PackedName.areEqual(digits: record[0], bytes)
        case .uuid: return PackedName.areEqual(uuid: record[0], record[1], bytes)
        }
    }

    /// Calls `body` with the bytes of a name, whose number this store gave.
    @inline(__always)
    func withBytes<Result>(
        of number: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let record = record(of: number)
        if let kept = kept(record) { return body(kept) }
        return withUnsafeTemporaryAllocation(
            byteCount: PackedName.uuidCount, alignment: 8
        ) { place in
            let count: Int
            switch form {
            case .any: preconditionFailure("a handle of another table")
            case .digits: count = PackedName.write(digits: record[0], to: place)
            case .uuid: count = PackedName.write(uuid: record[0], record[1], to: place)
            }
            return body(UnsafeRawBufferPointer(rebasing: place[0..<count]))
        }
    }

    /// The bytes of a verbatim name, which never move; `nil` for a packed name.
    func keptBytes(of number: UInt32) -> UnsafeRawBufferPointer? { kept(record(of: number)) }

    @inline(__always)
    private func record(of number: UInt32) -> UnsafeMutablePointer<UInt64> {
        let (chunk, offset) = NameStore.place(of: number)
        guard let records = chunks[chunk] else { preconditionFailure("a handle of another table") }
        return records + (form == .uuid ? offset &* 2 : offset)
    }

    @inline(__always)
    private func kept(_ record: UnsafeMutablePointer<UInt64>) -> UnsafeRawBufferPointer? {
        let place: UInt64
        if form == .uuid {
            guard record[0] == .max else { return nil }
            place = record[1]
        } else {
            guard record[0] >= NameStore.keptTag else { return nil }
            place = record[0] & ~NameStore.keptTag
        }
        let shifted = place &>> UInt64(NameStore.arenaBits) &+ 1
        let arena = 63 &- shifted.leadingZeroBitCount
        let start = ((1 &<< arena) &- 1) &<< NameStore.arenaBits
        guard let base = arenas[arena] else { preconditionFailure("a handle of another table") }
        let name = base + (Int(place) &- start)
        // The first byte is the length.
        return UnsafeRawBufferPointer(start: name + 1, count: Int(name.load(as: UInt8.self)))
    }

    mutating func append(_ name: UnsafeRawBufferPointer) -> UInt32 {
        precondition(count < Int(UInt32.max) - 16, "at most 2^32 − 17 names of one role")
        precondition(name.count <= NameCheck.maximumLength, "a name of at most 255 bytes")
        let number = UInt32(count)
        let (chunk, _) = NameStore.place(of: number)
        if chunks[chunk] == nil {
            chunks[chunk] = LongMemory.allocateZeroed(UInt64.self, capacity: words(ofChunk: chunk))
        }
        let record = record(of: number)
        switch form {
        case .any: record[0] = NameStore.keptTag | keep(name)
        case .digits: record[0] = PackedName.digits(name) ?? NameStore.keptTag | keep(name)
        case .uuid: (record[0], record[1]) = PackedName.uuid(name) ?? (.max, keep(name))
        }
        count += 1
        return number
    }

    private mutating func keep(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var arena = 63 - (UInt64(taken) >> UInt64(NameStore.arenaBits) + 1).leadingZeroBitCount
        let end = ((1 << (arena + 1)) - 1) << NameStore.arenaBits
        if taken + name.count + 1 > end {
            arena += 1
            taken = end
        }
        let base = self.arena(arena)
        let place = base + (taken - (((1 << arena) - 1) << NameStore.arenaBits))
        place.storeBytes(of: UInt8(name.count), as: UInt8.self)
        if let start = name.baseAddress {
            (place + 1).copyMemory(from: start, byteCount: name.count)
        }
        defer { taken += name.count + 1 }
        return UInt64(taken)
    }

    /// An arena's memory; the address is written once, before other threads read names in it.
    private func arena(_ arena: Int) -> UnsafeMutableRawPointer {
        if let base = arenas[arena] { return base }
        let base = LongMemory.allocate(byteCount: NameStore.size(ofArena: arena), alignment: 16)
        arenas[arena] = base
        return base
    }

    private static func size(ofArena arena: Int) -> Int { 1 << (arena + arenaBits) }

    /// Visits the records and the arenas; an empty store can be read into.
    mutating func visitFields(_ visitor: FieldVisitor) {
        let names = visitor.visitCount(count)
        let bytes = visitor.visitCount(taken)
        guard names <= Int(UInt32.max) - 16 else { return }
        var chunk = 0, left = names
        while left > 0 {
            let places = 16 << chunk
            if chunks[chunk] == nil {
                chunks[chunk] = LongMemory.allocateZeroed(
                    UInt64.self, capacity: words(ofChunk: chunk))
            }
            visitor.visitBytes(
                UnsafeMutableRawBufferPointer(
                    start: chunks[chunk], count: min(left, places) * (form == .uuid ? 16 : 8)))
            left -= min(left, places)
            chunk += 1
        }
        var arena = 0
        var start = 0
        while start < bytes {
            let size = NameStore.size(ofArena: arena)
            visitor.visitBytes(
                UnsafeMutableRawBufferPointer(
                    start: self.arena(arena), count: min(bytes - start, size)))
            start += size
            arena += 1
        }
        if visitor.isReading { (count, taken) = (names, bytes) }
    }

    private func words(ofChunk chunk: Int) -> Int { (form == .uuid ? 32 : 16) << chunk }

    /// The chunk of a number and the offset in the chunk: chunk 0 has 16 places, the next one 32,
    /// and so on.
    @inline(__always)
    private static func place(of number: UInt32) -> (chunk: Int, offset: Int) {
        let shifted = UInt64(number) &+ 16
        let chunk = 59 &- shifted.leadingZeroBitCount
        return (chunk, Int(shifted) &- (16 << chunk))
    }
}
