import PurchaseEvents

/// The memory of ``StatementBytes``: for each statement a ``Header``, a byte count and the bytes.
///
/// Memory is allocated in units of eight bytes; the number of a statement's first unit is its
/// version.
final class StatementMemory {
    /// The fixed-size fields before a statement's bytes.
    struct Header {
        let time: Timestamp
        /// Twice the reference count, plus 1 for a statement made in sandbox or xcode.
        private var word: UInt32

        init(time: Timestamp, isTest: Bool) {
            self.time = time
            word = isTest ? 1 : 0
        }

        /// Whether the statement was made in sandbox or xcode.
        var isTest: Bool { word & 1 != 0 }
        var isHeld: Bool { word > 1 }

        /// Cannot overflow: few registers hold the same statement.
        mutating func retain(_ holders: UInt32) { word &+= holders &* 2 }
        mutating func release() { word &-= 2 }
    }

    static var unit: Int { MemoryLayout<UInt64>.size }
    private static var chunkBits: UInt32 { 13 }
    private static var chunkUnits: Int { 1 << Int(chunkBits) }

    /// State behind a pointer, so that access needs no exclusivity check.
    private struct State {
        /// Chunks of equal size; a larger chunk holds a single long statement.
        var chunks: UnsafeMutablePointer<UnsafeMutableRawPointer>
        var chunkCount = 0, capacity = 4
        /// The units in use in the last chunk, and in each earlier chunk.
        var taken = StatementMemory.chunkUnits, takenBefore: [Int] = []
        /// For each size in units, the most recently freed place; 0 if there is none.
        ///
        /// A freed place holds the number of the place freed before it.
        var free: UnsafeMutablePointer<UInt32>
        var freeCount = 0
    }

    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State(chunks: .allocate(capacity: 4), free: .allocate(capacity: 0)))
    }

    convenience init(copying other: StatementMemory) {
        self.init()
        state.pointee.chunks.deallocate()
        state.pointee.free.deallocate()
        state.pointee = other.state.pointee
        let old = other.state.pointee
        state.pointee.free = .allocate(capacity: old.freeCount)
        state.pointee.free.initialize(from: old.free, count: old.freeCount)
        state.pointee.chunks = .allocate(capacity: old.capacity)
        for (index, units) in other.takenByChunk.enumerated() {
            let chunk = LongMemory.allocate(
                byteCount: StatementMemory.size(for: units), alignment: StatementMemory.unit)
            chunk.copyMemory(from: old.chunks[index], byteCount: units * StatementMemory.unit)
            (state.pointee.chunks + index).initialize(to: chunk)
        }
    }

    deinit {
        for (index, units) in takenByChunk.enumerated() {
            LongMemory.deallocate(
                state.pointee.chunks[index], byteCount: StatementMemory.size(for: units))
        }
        state.pointee.chunks.deallocate()
        state.pointee.free.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Visits the statements and the freed places; empty memory can be read into.
    func visitFields(_ visitor: FieldVisitor) {
        var taken = takenByChunk
        visitor.visit(&taken)
        for (index, units) in taken.enumerated() {
            let first = index == 0 ? 1 : 0
            if visitor.isReading {
                guard units >= first, units <= Int(UInt32.max) else { return }
                addChunk(units - first)
                state.pointee.taken = units
            }
            visitor.visitBytes(
                UnsafeMutableRawBufferPointer(
                    start: state.pointee.chunks[index], count: units * StatementMemory.unit))
        }
        let count = visitor.visitCount(state.pointee.freeCount, ofSize: MemoryLayout<UInt32>.stride)
        if visitor.isReading, count > 0 { makeRoom(forFree: count - 1) }
        visitor.visitBytes(
            UnsafeMutableRawBufferPointer(
                start: state.pointee.free, count: count * MemoryLayout<UInt32>.stride))
    }

    /// The number of units taken, including the space of freed statements.
    var takenUnits: Int { takenByChunk.reduce(0, +) }

    private var takenByChunk: [Int] {
        state.pointee.chunkCount == 0 ? [] : state.pointee.takenBefore + [state.pointee.taken]
    }

    @inline(__always)
    func header(of version: VersionID) -> UnsafeMutablePointer<Header> {
        place(of: version.index).assumingMemoryBound(to: Header.self)
    }

    @inline(__always)
    private func place(of index: UInt32) -> UnsafeMutableRawPointer {
        let offset = Int(index) & (StatementMemory.chunkUnits &- 1)
        let chunk = state.pointee.chunks[Int(index &>> StatementMemory.chunkBits)]
        return chunk + offset &* StatementMemory.unit
    }

    func bytes(of version: VersionID) -> UnsafeRawBufferPointer {
        var start = UnsafeRawPointer(place(of: version.index)) + StatementMemory.headerSize
        let count = Int(ShortNumber.read(at: &start))
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// Stores a statement with a reference count of 0.
    func append(_ time: Timestamp, isTest: Bool, _ bytes: UnsafeRawBufferPointer) -> VersionID {
        let index = allocate(StatementMemory.units(for: bytes.count))
        let place = place(of: index)
        place.initializeMemory(as: Header.self, to: Header(time: time, isTest: isTest))
        var end = place + StatementMemory.headerSize
        ShortNumber.write(UInt64(bytes.count), to: &end)
        if let base = bytes.baseAddress { end.copyMemory(from: base, byteCount: bytes.count) }
        return VersionID(index: index)
    }

    func forget(_ version: VersionID) {
        let units = StatementMemory.units(for: bytes(of: version).count)
        if units >= state.pointee.freeCount { makeRoom(forFree: units) }
        place(of: version.index).storeBytes(of: state.pointee.free[units], as: UInt32.self)
        state.pointee.free[units] = version.index
    }

    private static var headerSize: Int { MemoryLayout<Header>.size }

    /// The size in bytes of a chunk with this many units in use; a chunk larger than usual holds a
    /// single statement.
    private static func size(for units: Int) -> Int { max(units, chunkUnits) * unit }

    private static func units(for count: Int) -> Int {
        (headerSize + ShortNumber.length(of: UInt64(count)) + count + unit - 1) / unit
    }

    /// Allocates units and returns the number of the first, which is never 0.
    private func allocate(_ units: Int) -> UInt32 {
        if units < state.pointee.freeCount, state.pointee.free[units] != 0 {
            let index = state.pointee.free[units]
            state.pointee.free[units] = place(of: index).load(as: UInt32.self)
            return index
        }
        if state.pointee.taken + units > StatementMemory.chunkUnits { addChunk(units) }
        let chunk = (state.pointee.chunkCount - 1) << Int(StatementMemory.chunkBits)
        let index = chunk + state.pointee.taken
        precondition(index <= Int(UInt32.max), "at most 32 GiB of statements")
        state.pointee.taken += units
        return UInt32(index)
    }

    private func makeRoom(forFree units: Int) {
        let old = state.pointee
        let count = max(units + 1, old.freeCount * 2)
        state.pointee.free = .allocate(capacity: count)
        state.pointee.free.initialize(repeating: 0, count: count)
        state.pointee.free.update(from: old.free, count: old.freeCount)
        state.pointee.freeCount = count
        old.free.deallocate()
    }

    private func addChunk(_ units: Int) {
        let old = state.pointee
        if old.chunkCount == old.capacity {
            state.pointee.capacity = old.capacity * 2
            state.pointee.chunks = .allocate(capacity: old.capacity * 2)
            state.pointee.chunks.initialize(from: old.chunks, count: old.capacity)
            old.chunks.deallocate()
        }
        if old.chunkCount > 0 { state.pointee.takenBefore.append(old.taken) }
        // Unit 0 stays unused, because version 0 means none.
        let first = old.chunkCount == 0 ? 1 : 0
        (state.pointee.chunks + old.chunkCount).initialize(
            to: LongMemory.allocate(
                byteCount: StatementMemory.size(for: first + units), alignment: StatementMemory.unit
            ))
        state.pointee.taken = first
        state.pointee.chunkCount += 1
    }
}
