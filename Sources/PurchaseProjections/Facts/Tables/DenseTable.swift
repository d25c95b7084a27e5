import PurchaseEvents

/// A value a handle: a table that grows to the handles that are written, and reads as empty past
/// its end.
///
/// Values lie in chunks that never move, so a long log's table is never copied as it grows. A copy
/// of a table shares its chunks until one of the two is written to.
///
/// Sendable though it holds pointers: shared chunks are only read; whoever writes is their only
/// owner.
struct DenseTable<Value: Sendable>: @unchecked Sendable {
    /// The chunks of ``cells``, at hand without asking it: valid as long as that, which this value
    /// holds, and renewed wherever it is replaced or grows.
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
    /// One more than the greatest index that was written.
    private(set) var count = 0
    /// How many cells there are: those past ``count`` hold the empty value.
    private var room = 0
    private var cells: DenseCells<Value>

    /// A table that holds `empty` at every index.
    init(_ empty: Value) {
        cells = DenseCells(empty)
        chunks = cells.chunks
    }

    subscript(index: Int) -> Value {
        // Inlined, so that of a long record the fields are loaded that are asked for.
        @inline(__always) get {
            precondition(index >= 0, "an index is the number of a handle")
            return (index < room ? place(of: index) : chunks[-1]).pointee
        }
        @inline(__always) _modify {
            if index >= room || !isKnownUniquelyReferenced(&cells) { reach(index) }
            if index >= count { count = index &+ 1 }
            yield &place(of: index).pointee
        }
    }

    /// The indices that were written, and those below them.
    var indices: Range<Int> { 0..<count }

    /// Adds a value at the end.
    @inline(__always)
    mutating func append(_ value: Value) { self[count] = value }

    @inline(__always)
    private func place(of index: Int) -> UnsafeMutablePointer<Value> {
        chunks[index >> DenseCells<Value>.chunkBits] + index & DenseCells<Value>.chunkMask
    }

    @inline(never)
    private mutating func reach(_ index: Int) {
        precondition(index >= 0, "an index is the number of a handle")
        if !isKnownUniquelyReferenced(&cells) { cells = DenseCells(copying: cells) }
        cells.makeRoom(for: index)
        (chunks, room) = (cells.chunks, cells.count)
    }
}

/// The memory of a ``DenseTable``.
private final class DenseCells<Value> {
    static var chunkBits: Int { 8 }
    static var chunkMask: Int { 1 << chunkBits - 1 }

    /// The chunks; before the first, at −1, one with the empty value alone.
    private(set) var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
    private(set) var count = 0
    private var capacity = 3

    init(_ empty: Value) {
        let first = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        first.initialize(to: empty)
        chunks = DenseCells.room(capacity)
        chunks[-1] = first
    }

    convenience init(copying other: DenseCells) {
        self.init(other.chunks[-1].pointee)
        while count < other.count {
            let chunk = other.chunks[count >> DenseCells.chunkBits]
            let part = min(other.count - count, 1 << DenseCells.chunkBits)
            newChunk().initialize(from: chunk, count: part)
            count += part
        }
    }

    deinit {
        for start in stride(from: 0, to: count, by: 1 << DenseCells.chunkBits) {
            let chunk = chunks[start >> DenseCells.chunkBits]
            chunk.deinitialize(count: min(count - start, 1 << DenseCells.chunkBits))
            LongMemory.deallocate(chunk, capacity: 1 << DenseCells.chunkBits)
        }
        chunks[-1].deinitialize(count: 1)
        chunks[-1].deallocate()
        (chunks - 1).deallocate()
    }

    /// Room for so many chunks, and for the one before the first.
    private static func room(
        _ capacity: Int
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value>> { .allocate(capacity: capacity + 1) + 1 }

    /// Makes cells up to an index, and some beyond: to the end of the chunk, or in the first one,
    /// since most tables of a short log are short, twice as many as there are.
    func makeRoom(for index: Int) {
        let size = 1 << DenseCells.chunkBits
        while count <= index {
            let place = count & DenseCells.chunkMask
            let chunk = place == 0 ? newChunk() : chunks[count >> DenseCells.chunkBits]
            let end = count < size ? min(max(index + 1, 2 * count, 4), size) : size
            (chunk + place).initialize(repeating: chunks[-1].pointee, count: end - place)
            count += end - place
        }
    }

    /// The memory of the chunk that begins at ``count``.
    private func newChunk() -> UnsafeMutablePointer<Value> {
        let number = count >> DenseCells.chunkBits
        if number == capacity {
            let grown = DenseCells.room(capacity * 2)
            (grown - 1).initialize(from: chunks - 1, count: capacity + 1)
            (chunks - 1).deallocate()
            (chunks, capacity) = (grown, capacity * 2)
        }
        // Values that are as long as some cache lines begin where one does.
        let stride = MemoryLayout<Value>.stride
        let chunk = LongMemory.allocate(
            Value.self, capacity: 1 << DenseCells.chunkBits,
            alignment: stride % 64 == 0 ? 64 : MemoryLayout<Value>.alignment)
        chunks[number] = chunk
        return chunk
    }
}
