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

    /// Keeps a statement of a type until it is settled: its canonical bytes begin with the type.
    mutating func append(
        _ type: EventType, time: Timestamp, _ statement: UnsafeRawBufferPointer,
        _ names: StatementNames
    ) -> VersionID {
        makeUnique()
        // Only statements of one type are compared beyond it.
        let name = type.wireName.utf8.count + #""type":"""#.utf8.count
        let rest = UnsafeRawBufferPointer(rebasing: statement.dropFirst(name))
        let room = 1 + StatementPacker.room(for: rest.count)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { bytes in
            guard let start = bytes.baseAddress else { return VersionID() }
            start.initialize(to: StatementBytes.ranks[Int(type.rawValue)])
            let count = 1 + memory.packer.pack(rest, names, to: start + 1)
            return memory.append(time, UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// When a statement was made.
    @inline(__always)
    func time(of version: VersionID) -> Timestamp { memory.head(of: version).pointee.time }

    /// Tells how many registers hold a statement that was kept; one that none holds is forgotten.
    mutating func settle(_ version: VersionID, holders: UInt32) {
        makeUnique()
        memory.head(of: version).pointee.holders = holders
        if holders == 0 { memory.forget(version) }
    }

    /// Holds a statement once more.
    @inline(__always)
    mutating func hold(_ version: VersionID) {
        makeUnique()
        memory.head(of: version).pointee.holders &+= 1
    }

    /// Holds a statement once less; one that nothing holds is forgotten.
    @inline(__always)
    mutating func release(_ version: VersionID) {
        makeUnique()
        let head = memory.head(of: version)
        head.pointee.holders &-= 1
        if head.pointee.holders == 0 { memory.forget(version) }
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

    /// The place of each type among all types by the bytes of their names.
    private static let ranks: [UInt8] = {
        let sorted = EventType.allCases.sorted { $0.wireName < $1.wireName }
        return EventType.allCases.map { UInt8(sorted.firstIndex(of: $0) ?? 0) }
    }()
}
