import PurchaseEvents

/// A key made from one or two handles, such as a queue entry or an account's product.
struct HandleKey: Hashable, Sendable {
    fileprivate let rawValue: UInt64

    @inline(__always)
    static func == (left: HandleKey, right: HandleKey) -> Bool { left.rawValue == right.rawValue }

    @inline(__always)
    init(_ first: UInt32, _ second: UInt32) { rawValue = UInt64(first) << 32 | UInt64(second) }

    @inline(__always)
    init(_ entry: QueueEntry<Interned>) {
        switch entry {
        case .transaction(let transaction): rawValue = UInt64(transaction.name.rawValue)
        case .payment(let payment): rawValue = 1 << 32 | UInt64(payment.name.rawValue)
        }
    }

    @inline(__always)
    init(_ transaction: TransactionHandle) { rawValue = UInt64(transaction.name.rawValue) }

    @inline(__always)
    init(_ product: ProductHandle) { rawValue = UInt64(product.name.rawValue) }

    @inline(__always)
    init(_ download: DownloadHandle, of transaction: TransactionHandle) {
        rawValue = UInt64(transaction.name.rawValue) << 32 | UInt64(download.name.rawValue)
    }

    /// Creates the key of an account's product; `nil` stands for no account.
    @inline(__always)
    init(_ product: ProductHandle, of account: AccountHandle?) {
        let owner = account.map { UInt64($0.name.rawValue) + 1 } ?? 0
        rawValue = UInt64(product.name.rawValue) << 32 | owner
    }

    /// The product of a key that was made from a product alone.
    var product: ProductHandle { ProductID(Handle(rawValue: UInt32(truncatingIfNeeded: rawValue))) }

    /// The queue entry that the key was made from.
    var entry: QueueEntry<Interned> {
        let handle = Handle(rawValue: UInt32(truncatingIfNeeded: rawValue))
        return rawValue >> 32 == 0
            ? .transaction(TransactionID(handle)) : .payment(PaymentID(handle))
    }
}

/// A hash map keyed by handles, for entries that are open only for a time.
///
/// Memory is proportional to the greatest number of entries so far. A look-up costs one
/// hash and usually one or two comparisons.
///
/// A log can choose the pairs of numbers that it makes keys of. So the hash first multiplies by a
/// random number of the process, which no set of keys chosen beforehand can know, and then by a
/// fixed number, which spreads keys evenly whatever the random number is.
///
/// Uses open addressing; a removal shifts later entries into the gap. Copies share slots until one
/// of them is written to.
///
/// Sendable despite its pointer: shared slots are only read, and a writer is their sole owner.
struct HandleMap<Value: Sendable>: @unchecked Sendable {
    private var storage: HandleSlots<Value>
    /// The slots of ``storage`` and their number minus one, read without reference counting.
    ///
    /// Valid while ``storage`` lives; updated whenever ``storage`` is replaced.
    private var slots: UnsafeMutablePointer<HandleSlots<Value>.Slot>
    private var mask: Int
    private var multiplier: UInt64
    private(set) var count = 0

    /// Creates an empty map; `empty` fills unused slots.
    init(_ empty: Value, key: HashKey = .ofProcess) {
        multiplier = key.multiplier
        storage = HandleSlots(empty, capacity: 0)
        (slots, mask) = (storage.slots, storage.capacity - 1)
    }

    var isEmpty: Bool { count == 0 }

    /// The value of a key; setting `nil` removes the key.
    subscript(key: HandleKey) -> Value? {
        @inline(__always) get {
            guard count > 0 else { return nil }
            let slot = slot(of: key)
            return slot.pointee.stored == 0 ? nil : slot.pointee.value
        }
        @inline(__always) set {
            if let newValue { self[orEmpty: key] = newValue } else { remove(key) }
        }
    }

    /// The value of a key, or `empty`; writing inserts the key.
    subscript(orEmpty key: HandleKey) -> Value {
        @inline(__always) get { self[key] ?? storage.empty }
        @inline(__always) _modify {
            makeRoom()
            let slot = slot(of: key)
            if slot.pointee.stored == 0 {
                slot.pointee.stored = key.rawValue &+ 1
                count &+= 1
            }
            yield &slot.pointee.value
        }
    }

    /// All keys and values, in no meaningful order.
    var entries: [(key: HandleKey, value: Value)] {
        (0..<storage.capacity).compactMap { index in
            let slot = slots[index]
            return slot.stored == 0 ? nil : (HandleKey(rawValue: slot.stored &- 1), slot.value)
        }
    }

    /// Removes a key; returns its value, `nil` if there was none.
    @discardableResult
    mutating func remove(_ key: HandleKey) -> Value? {
        guard count > 0 else { return nil }
        makeUnique()
        var gap = slot(of: key)
        guard gap.pointee.stored != 0 else { return nil }
        let removed = gap.pointee.value
        count &-= 1
        var next = after(gap)
        while next.pointee.stored != 0 {
            // Entries whose home slot is at or before the gap move into it.
            let home = home(of: next.pointee.stored)
            if (next - slots &- home) & mask >= (next - gap) & mask {
                gap.pointee = next.pointee
                gap = next
            }
            next = after(next)
        }
        gap.pointee = HandleSlots<Value>.Slot(stored: 0, value: storage.empty)
        return removed
    }

    @inline(__always)
    private func after(
        _ slot: UnsafeMutablePointer<HandleSlots<Value>.Slot>
    ) -> UnsafeMutablePointer<HandleSlots<Value>.Slot> { slots + (slot - slots &+ 1) & mask }

    /// The slot that holds a key, or the free slot where it would go; there is always a free slot.
    @inline(__always)
    private func slot(of key: HandleKey) -> UnsafeMutablePointer<HandleSlots<Value>.Slot> {
        let stored = key.rawValue &+ 1
        var index = home(of: stored)
        while slots[index].stored != 0, slots[index].stored != stored {
            index = (index &+ 1) & mask
        }
        return slots + index
    }

    @inline(__always)
    private func home(of stored: UInt64) -> Int {
        let mixed = stored &* multiplier
        let (high, low) = (mixed ^ mixed &>> 32).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: high ^ low >> 32) & mask
    }

    /// Ensures that this map owns its slots alone and that one of them is free.
    @inline(__always)
    private mutating func makeRoom() {
        if count &* 4 >= (mask &+ 1) &* 3 { grow() } else { makeUnique() }
    }

    @inline(__always)
    private mutating func makeUnique() { if !isKnownUniquelyReferenced(&storage) { copy() } }

    @inline(never)
    private mutating func copy() {
        let copy = HandleSlots(storage.empty, capacity: storage.capacity)
        copy.slots.update(from: slots, count: storage.capacity)
        (storage, slots) = (copy, copy.slots)
    }

    @inline(never)
    private mutating func grow() {
        let old = storage
        storage = HandleSlots(old.empty, capacity: max(8, old.capacity * 2))
        (slots, mask) = (storage.slots, storage.capacity - 1)
        for index in 0..<old.capacity where old.slots[index].stored != 0 {
            slot(of: HandleKey(rawValue: old.slots[index].stored &- 1)).pointee = old.slots[index]
        }
    }
}

extension FieldVisitor {
    /// Visits a map of values as their bytes.
    @discardableResult
    func visit<Value: BitwiseCopyable>(_ map: inout HandleMap<Value>) -> FieldVisitor {
        map.visitSlots(self)
        return self
    }

    /// Visits a map of values, each field by field.
    @discardableResult
    func visit<Value: Snapshotted>(_ map: inout HandleMap<Value>) -> FieldVisitor {
        map.visit(self) { $0.visitFields(self) }
        return self
    }
}

extension HandleMap {
    /// Visits the slots as they are, with the random number that places keys in them.
    ///
    /// - Precondition: The bytes of a value are its meaning.
    fileprivate mutating func visitSlots(_ visitor: FieldVisitor) {
        visitor.visit(&multiplier).visit(&count)
        let stride = MemoryLayout<HandleSlots<Value>.Slot>.stride
        let capacity = visitor.visitCount(mask + 1, ofSize: stride)
        if visitor.isReading {
            storage = HandleSlots(storage.empty, capacity: capacity)
            (slots, mask) = (storage.slots, capacity - 1)
        }
        visitor.visitBytes(UnsafeMutableRawBufferPointer(start: slots, count: capacity * stride))
    }

    mutating func visit(_ visitor: FieldVisitor, _ visit: (inout Value) -> Void) {
        let known = visitor.isReading ? [] : entries
        for index in 0..<visitor.visitCount(known.count) {
            var key = visitor.isReading ? HandleKey(rawValue: 0) : known[index].key
            visitor.visit(&key)
            var value = visitor.isReading ? storage.empty : known[index].value
            visit(&value)
            if visitor.isReading { self[key] = value }
        }
    }
}

private final class HandleSlots<Value> {
    struct Slot {
        /// The key plus one; 0 marks a free slot.
        var stored: UInt64
        var value: Value
    }

    let empty: Value
    /// A power of two, or 0.
    let capacity: Int
    let slots: UnsafeMutablePointer<Slot>

    init(_ empty: Value, capacity: Int) {
        self.empty = empty
        self.capacity = capacity
        slots = LongMemory.allocate(Slot.self, capacity: capacity)
        slots.initialize(repeating: Slot(stored: 0, value: empty), count: capacity)
    }

    deinit {
        slots.deinitialize(count: capacity)
        LongMemory.deallocate(slots, capacity: capacity)
    }
}

extension HandleKey {
    fileprivate init(rawValue: UInt64) { self.rawValue = rawValue }
}
