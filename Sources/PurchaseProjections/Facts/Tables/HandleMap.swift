import PurchaseEvents

/// A key made of handles: an entry of the queue, or a product of an account.
struct HandleKey: Hashable, Sendable {
    fileprivate let rawValue: UInt64

    @inline(__always)
    static func == (left: HandleKey, right: HandleKey) -> Bool { left.rawValue == right.rawValue }

    /// The key of an entry of the queue.
    @inline(__always)
    init(_ entry: QueueEntry<Interned>) {
        switch entry {
        case .transaction(let transaction): rawValue = UInt64(transaction.name.rawValue)
        case .payment(let payment): rawValue = 1 << 32 | UInt64(payment.name.rawValue)
        }
    }

    /// The key of a transaction.
    @inline(__always)
    init(_ transaction: TransactionID<Interned>) {
        rawValue = UInt64(transaction.name.rawValue)
    }

    /// The key of a product.
    @inline(__always)
    init(_ product: ProductID<Interned>) { rawValue = UInt64(product.name.rawValue) }

    /// The key of a download of a transaction.
    @inline(__always)
    init(_ download: DownloadID<Interned>, of transaction: TransactionID<Interned>) {
        rawValue = UInt64(transaction.name.rawValue) << 32 | UInt64(download.name.rawValue)
    }

    /// The key of a product of an account, or of nobody's.
    @inline(__always)
    init(_ product: ProductID<Interned>, of account: AccountID<Interned>?) {
        let owner = account.map { UInt64($0.name.rawValue) + 1 } ?? 0
        rawValue = UInt64(product.name.rawValue) << 32 | owner
    }

    /// The product that it was made of.
    var product: ProductID<Interned> {
        ProductID(Handle(rawValue: UInt32(truncatingIfNeeded: rawValue)))
    }

    /// The entry that it was made of.
    var entry: QueueEntry<Interned> {
        let handle = Handle(rawValue: UInt32(truncatingIfNeeded: rawValue))
        return rawValue >> 32 == 0
            ? .transaction(TransactionID(handle)) : .payment(PaymentID(handle))
    }
}

/// Values by keys of handles, for what is open at a time: memory follows what is there, and a
/// look-up costs one multiplication and mostly one comparison.
///
/// Open addressing; a removal moves what follows into the gap. Copies share their slots until one
/// of them is written to.
///
/// Sendable though it holds a pointer: shared slots are only read; whoever writes is their only
/// owner.
struct HandleMap<Value: Sendable>: @unchecked Sendable {
    private var storage: HandleSlots<Value>
    /// The slots of ``storage`` and one less than their number, at hand without asking it: valid
    /// as long as that, which this value holds, and renewed wherever it is replaced.
    private var slots: UnsafeMutablePointer<HandleSlots<Value>.Slot>
    private var mask: Int
    private(set) var count = 0

    /// An empty map; `empty` fills the slots that hold nothing.
    init(_ empty: Value) {
        storage = HandleSlots(empty, capacity: 0)
        (slots, mask) = (storage.slots, storage.capacity - 1)
    }

    var isEmpty: Bool { count == 0 }

    /// The value of a key; setting `nil` removes it.
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

    /// The value of a key, `empty` where there is none; writing puts it there.
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

    /// Every key and its value, in no order that means anything.
    var entries: [(key: HandleKey, value: Value)] {
        (0..<storage.capacity).compactMap { index in
            let slot = slots[index]
            return slot.stored == 0 ? nil : (HandleKey(rawValue: slot.stored &- 1), slot.value)
        }
    }

    mutating func remove(_ key: HandleKey) {
        guard count > 0 else { return }
        makeUnique()
        var gap = slot(of: key)
        guard gap.pointee.stored != 0 else { return }
        count &-= 1
        var next = after(gap)
        while next.pointee.stored != 0 {
            // What belongs at or before the gap moves into it.
            let home = home(of: next.pointee.stored)
            if (next - slots &- home) & mask >= (next - gap) & mask {
                gap.pointee = next.pointee
                gap = next
            }
            next = after(next)
        }
        gap.pointee = HandleSlots<Value>.Slot(stored: 0, value: storage.empty)
    }

    @inline(__always)
    private func after(
        _ slot: UnsafeMutablePointer<HandleSlots<Value>.Slot>
    ) -> UnsafeMutablePointer<HandleSlots<Value>.Slot> { slots + (slot - slots &+ 1) & mask }

    /// The slot that has a key, or where it would go. There is a free slot.
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
        let (high, low) = stored.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: high ^ low >> 32) & mask
    }

    /// Makes sure that no copy has the slots, and that one of them is free for another key.
    @inline(__always)
    private mutating func makeRoom() {
        if count &* 4 >= (mask &+ 1) &* 3 { grow() } else { makeUnique() }
    }

    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { copy() }
    }

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

/// The memory of a ``HandleMap``.
private final class HandleSlots<Value> {
    /// A key and its value.
    struct Slot {
        /// The key plus one; 0 is a free slot.
        var stored: UInt64
        var value: Value
    }

    let empty: Value
    /// A power of two, or none.
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
