import PurchaseEvents

/// The statements that registers hold: time, reference count and packed canonical bytes.
///
/// Statements are stored one after another in chunks that never move; the space of a freed
/// statement is reused for statements of the same size. Copies share memory until one of them is
/// written to.
struct StatementBytes: Snapshotted {
    private var memory: StatementMemory
    private let names: NameTable

    init(names: NameTable) {
        self.names = names
        memory = StatementMemory()
    }

    mutating func visitFields(_ visitor: FieldVisitor) {
        if visitor.isReading { memory = StatementMemory() }
        memory.visitFields(visitor)
    }

    /// The number of bytes taken, including the space of freed statements.
    var count: Int { memory.takenUnits * StatementMemory.unit }

    /// Stores an event's statement, which must be settled later; usually the reader has already
    /// packed it.
    mutating func append(
        _ event: LogEvent, time: Timestamp, isTest: Bool, on line: Line
    ) -> VersionID {
        if let packed = line.packedStatement { return append(packed, time: time, isTest: isTest) }
        return LineDecoder.packedStatement(of: event, line.bytes).withUnsafeBytes {
            append($0, time: time, isTest: isTest)
        }
    }

    /// Stores a packed statement, which must be settled later.
    mutating func append(
        _ packed: UnsafeRawBufferPointer, time: Timestamp, isTest: Bool = false
    ) -> VersionID {
        makeUnique()
        return memory.append(time, isTest: isTest, packed)
    }

    @inline(__always)
    func time(of version: VersionID) -> Timestamp { memory.header(of: version).pointee.time }

    /// Whether a statement was made in sandbox or xcode.
    @inline(__always)
    func isTest(_ version: VersionID) -> Bool { memory.header(of: version).pointee.isTest }

    /// Sets the number of registers that hold a new statement; a statement that none holds is
    /// freed.
    mutating func settle(_ version: VersionID, holders: UInt32) {
        makeUnique()
        memory.header(of: version).pointee.retain(holders)
        if holders == 0 { memory.forget(version) }
    }

    @inline(__always)
    mutating func retain(_ version: VersionID) {
        makeUnique()
        memory.header(of: version).pointee.retain(1)
    }

    /// Decrements a statement's reference count; the statement is freed at zero.
    @inline(__always)
    mutating func release(_ version: VersionID) {
        makeUnique()
        let header = memory.header(of: version)
        header.pointee.release()
        if !header.pointee.isHeld { memory.forget(version) }
    }

    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&memory) { memory = StatementMemory(copying: memory) }
    }

    /// Whether the canonical bytes of one statement sort before those of another.
    func precedes(_ left: VersionID, _ right: VersionID) -> Bool {
        let (left, right) = (memory.bytes(of: left), memory.bytes(of: right))
        // Usually a repeated statement is unchanged.
        if left.elementsEqual(right) { return false }
        guard left[0] == right[0] else { return left[0] < right[0] }
        let old = StatementText.text(of: left, names), new = StatementText.text(of: right, names)
        return old.withUnsafeBytes { old in new.withUnsafeBytes { old.precedes($0) } }
    }
}
