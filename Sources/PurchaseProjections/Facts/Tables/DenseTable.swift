import PurchaseEvents

/// A table that maps dense handles to values: writing an index grows it, and reading past its end
/// gives the empty value.
///
/// Values are stored in chunks that never move, so growth copies nothing. Copies of a table share
/// chunks until one of them is written to.
///
/// Sendable despite its pointers: shared chunks are only read, and a writer is their sole owner.
struct DenseTable<Value: Sendable>: @unchecked Sendable {
    /// The chunks of ``cells``, read without reference counting.
    ///
    /// Valid while ``cells`` lives; updated whenever ``cells`` is replaced or grows.
    private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
    /// One more than the greatest index written.
    private(set) var count = 0
    /// The number of allocated cells; those past ``count`` hold the empty value.
    private var room = 0
    private var cells: DenseCells<Value>

    /// Creates a table that holds `empty` at every index.
    init(_ empty: Value) {
        cells = DenseCells(empty)
        chunks = cells.chunks
    }

    subscript(index: Int) -> Value {
        // Lends the value, so that only the fields that the caller reads are loaded.
        @inline(__always) _read {
            precondition(index >= 0, "an index is the number of a handle")
            let place = index < room ? place(of: index) : chunks[-1]
            yield place.pointee
        }
        @inline(__always) _modify {
            if index >= room || !isKnownUniquelyReferenced(&cells) { reach(index) }
            if index >= count { count = index &+ 1 }
            yield &place(of: index).pointee
        }
    }

    /// All indices up to the greatest one written.
    var indices: Range<Int> { 0..<count }

    @inline(__always)
    mutating func append(_ value: Value) { self[count] = value }

    @inline(__always)
    private func place(of index: Int) -> UnsafeMutablePointer<Value> {
        chunks[index &>> DenseChunk.bits] + index & DenseChunk.mask
    }

    /// Visits the values, a run of neighbours at a time; an empty table can be read into.
    mutating func visitRuns(
        _ visitor: FieldVisitor, _ visit: (UnsafeMutableBufferPointer<Value>) -> Void
    ) {
        let count = visitor.visitCount(self.count, ofSize: MemoryLayout<Value>.stride)
        if visitor.isReading {
            self = DenseTable(cells.empty)
            if count > 0 { reach(count - 1) }
            self.count = count
        }
        let size = 1 << DenseChunk.bits
        for start in stride(from: 0, to: count, by: size) {
            let run = min(count - start, size)
            visit(UnsafeMutableBufferPointer(start: place(of: start), count: run))
        }
    }

    mutating func visit(_ visitor: FieldVisitor, _ visit: (inout Value) -> Void) {
        if !visitor.isReading { makeUnique() }
        visitRuns(visitor) { run in
            for index in run.indices { visit(&run[index]) }
        }
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&cells), count > 0 { reach(count - 1) }
    }

    @inline(never)
    private mutating func reach(_ index: Int) {
        precondition(index >= 0, "an index is the number of a handle")
        if !isKnownUniquelyReferenced(&cells) { cells = DenseCells(copying: cells) }
        cells.makeRoom(for: index)
        (chunks, room) = (cells.chunks, cells.count)
    }
}

extension FieldVisitor {
    /// Visits a table of values as their bytes.
    @discardableResult
    func visit<Value: BitwiseCopyable>(_ table: inout DenseTable<Value>) -> FieldVisitor {
        table.visitRuns(self) { visitBytes(UnsafeMutableRawBufferPointer($0)) }
        return self
    }

    /// Visits a table of values, each field by field.
    @discardableResult
    func visit<Value: Snapshotted>(_ table: inout DenseTable<Value>) -> FieldVisitor {
        table.visit(self) { $0.visitFields(self) }
        return self
    }
}

/// The size of a chunk; outside the generic type, which a debug build looks up at each access.
private enum DenseChunk {
    static var bits: Int { 8 }
    static var mask: Int { 1 &<< bits &- 1 }
}

private final class DenseCells<Value> {
    /// The chunks; index −1 holds a chunk with only the empty value.
    private(set) var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Value>>
    private(set) var count = 0
    private var capacity = 3
    var empty: Value { chunks[-1].pointee }

    init(_ empty: Value) {
        let first = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        first.initialize(to: empty)
        chunks = DenseCells.room(capacity)
        chunks[-1] = first
    }

    convenience init(copying other: DenseCells) {
        self.init(other.chunks[-1].pointee)
        while count < other.count {
            let chunk = other.chunks[count &>> DenseChunk.bits]
            let part = min(other.count - count, 1 << DenseChunk.bits)
            newChunk().initialize(from: chunk, count: part)
            count += part
        }
    }

    deinit {
        for start in stride(from: 0, to: count, by: 1 << DenseChunk.bits) {
            let chunk = chunks[start >> DenseChunk.bits]
            chunk.deinitialize(count: min(count - start, 1 << DenseChunk.bits))
            LongMemory.deallocate(chunk, capacity: 1 << DenseChunk.bits)
        }
        chunks[-1].deinitialize(count: 1)
        chunks[-1].deallocate()
        (chunks - 1).deallocate()
    }

    /// Allocates space for chunk pointers, and one before the first.
    private static func room(
        _ capacity: Int
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<Value>> { .allocate(capacity: capacity + 1) + 1 }

    /// Adds cells up to an index and beyond: to the end of the chunk, except that the first chunk
    /// only doubles, because most tables of a short log are short.
    func makeRoom(for index: Int) {
        let size = 1 << DenseChunk.bits
        while count <= index {
            let place = count & DenseChunk.mask
            let chunk = place == 0 ? newChunk() : chunks[count &>> DenseChunk.bits]
            let end = count < size ? min(max(index + 1, 2 * count, 4), size) : size
            (chunk + place).initialize(repeating: chunks[-1].pointee, count: end - place)
            count += end - place
        }
    }

    /// Allocates the chunk that starts at ``count``.
    private func newChunk() -> UnsafeMutablePointer<Value> {
        let number = count &>> DenseChunk.bits
        if number == capacity {
            let grown = DenseCells.room(capacity * 2)
            (grown - 1).initialize(from: chunks - 1, count: capacity + 1)
            (chunks - 1).deallocate()
            (chunks, capacity) = (grown, capacity * 2)
        }
        // Aligns values whose size is a multiple of the cache line to cache lines.
        let stride = MemoryLayout<Value>.stride
        let chunk = LongMemory.allocate(
            Value.self, capacity: 1 << DenseChunk.bits,
            alignment: stride % 64 == 0 ? 64 : MemoryLayout<Value>.alignment)
        chunks[number] = chunk
        return chunk
    }
}
