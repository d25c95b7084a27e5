import PurchaseEvents

/// The statements that registers hold: when each was made, how many registers hold it, and its
/// canonical bytes, packed.
///
/// They lie in chunks that never move, one after the other; what is forgotten makes room for
/// others of its size. Copies share their memory until one of them is written to.
struct StatementBytes {
    private var memory: StatementMemory
    private let names: NameTable

    /// No statements, of a log whose names are in a table.
    init(names: NameTable) {
        self.names = names
        memory = StatementMemory()
    }

    /// How many bytes are taken, by what was forgotten too.
    var count: Int { memory.takenUnits * StatementMemory.unit }

    /// Keeps an event's statement until it is settled: mostly the reader has packed it.
    mutating func append(
        _ event: Event<Interned>, time: Timestamp, isOfTests: Bool, on line: Line
    ) -> VersionID {
        if let packed = line.packedStatement {
            return append(packed, time: time, isOfTests: isOfTests)
        }
        return line.withStatement { statement in
            let known = StatementNames(event, names)
            let room = StatementPacker.room(for: statement.count)
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
                guard let start = bytes.baseAddress else { return VersionID() }
                let count = memory.packer.pack(statement, of: event.type, known, to: start)
                return append(
                    UnsafeRawBufferPointer(start: start, count: count), time: time,
                    isOfTests: isOfTests)
            }
        }
    }

    /// Keeps a statement that is packed, until it is settled.
    mutating func append(
        _ packed: UnsafeRawBufferPointer, time: Timestamp, isOfTests: Bool = false
    ) -> VersionID {
        makeUnique()
        return memory.append(time, isOfTests: isOfTests, packed)
    }

    /// When a statement was made.
    @inline(__always)
    func time(of version: VersionID) -> Timestamp { memory.head(of: version).pointee.time }

    /// Whether a statement was made in sandbox or xcode.
    @inline(__always)
    func isOfTests(_ version: VersionID) -> Bool { memory.head(of: version).pointee.isOfTests }

    /// Tells how many registers hold a statement that was kept; one that none holds is forgotten.
    mutating func settle(_ version: VersionID, holders: UInt32) {
        makeUnique()
        memory.head(of: version).pointee.hold(holders)
        if holders == 0 { memory.forget(version) }
    }

    /// Holds a statement once more.
    @inline(__always)
    mutating func hold(_ version: VersionID) {
        makeUnique()
        memory.head(of: version).pointee.hold(1)
    }

    /// Holds a statement once less; one that nothing holds is forgotten.
    @inline(__always)
    mutating func release(_ version: VersionID) {
        makeUnique()
        let head = memory.head(of: version)
        head.pointee.release()
        if !head.pointee.isHeld { memory.forget(version) }
    }

    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&memory) { memory = StatementMemory(copying: memory) }
    }

    /// Whether the canonical bytes of one statement come before those of another.
    func precedes(_ left: VersionID, _ right: VersionID) -> Bool {
        let (left, right) = (memory.bytes(of: left), memory.bytes(of: right))
        // Mostly a statement is made again as it was.
        if left.elementsEqual(right) { return false }
        guard left[0] == right[0] else { return left[0] < right[0] }
        let (old, new) = (text(of: left), text(of: right))
        return old.withUnsafeBytes { old in new.withUnsafeBytes { old.precedes($0) } }
    }

    /// With the brace that ends a statement, by which 5000 is greater than 50000.
    private func text(of packed: UnsafeRawBufferPointer) -> [UInt8] {
        let rest = UnsafeRawBufferPointer(rebasing: packed.dropFirst())
        return StatementPacking.unpack(rest, names) + CollectionOfOne(UInt8(ascii: "}"))
    }
}
