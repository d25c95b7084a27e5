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
/// Open addressing; a removal moves what follows into the gap.
struct HandleMap<Value: Sendable>: Sendable {
    /// Keys plus one; 0 is a free slot. As many as values, a power of two.
    private var keys: [UInt64] = []
    private var values: [Value] = []
    private(set) var count = 0
    private let empty: Value

    /// An empty map; `empty` fills the slots that hold nothing.
    init(_ empty: Value) { self.empty = empty }

    var isEmpty: Bool { count == 0 }

    /// The value of a key; setting `nil` removes it.
    subscript(key: HandleKey) -> Value? {
        @inline(__always) get {
            guard count > 0 else { return nil }
            let slot = slot(of: key)
            return keys[slot] == 0 ? nil : values[slot]
        }
        @inline(__always) set {
            if let newValue { insert(newValue, key) } else { remove(key) }
        }
    }

    /// The value of a key, `empty` where there is none; writing puts it there.
    subscript(orEmpty key: HandleKey) -> Value {
        @inline(__always) get { self[key] ?? empty }
        @inline(__always) _modify {
            makeRoom()
            let slot = slot(of: key)
            if keys[slot] == 0 {
                keys[slot] = key.rawValue &+ 1
                values[slot] = empty
                count += 1
            }
            yield &values[slot]
        }
    }

    /// Every key and its value, in no order that means anything.
    var entries: [(key: HandleKey, value: Value)] {
        keys.indices.compactMap { slot in
            keys[slot] == 0 ? nil : (HandleKey(rawValue: keys[slot] &- 1), values[slot])
        }
    }

    private mutating func insert(_ value: Value, _ key: HandleKey) {
        makeRoom()
        let slot = slot(of: key)
        if keys[slot] == 0 {
            keys[slot] = key.rawValue &+ 1
            count += 1
        }
        values[slot] = value
    }

    mutating func remove(_ key: HandleKey) {
        guard count > 0 else { return }
        var gap = slot(of: key)
        guard keys[gap] != 0 else { return }
        count -= 1
        let mask = keys.count &- 1
        var next = (gap &+ 1) & mask
        while keys[next] != 0 {
            // What belongs at or before the gap moves into it.
            if (next &- home(of: keys[next])) & mask >= (next &- gap) & mask {
                keys[gap] = keys[next]
                values[gap] = values[next]
                gap = next
            }
            next = (next &+ 1) & mask
        }
        keys[gap] = 0
        values[gap] = empty
    }

    /// The slot that has a key, or where it would go. There is a free slot.
    @inline(__always)
    private func slot(of key: HandleKey) -> Int {
        let stored = key.rawValue &+ 1
        var slot = home(of: stored)
        while keys[slot] != 0, keys[slot] != stored { slot = (slot &+ 1) & (keys.count &- 1) }
        return slot
    }

    @inline(__always)
    private func home(of stored: UInt64) -> Int {
        let (high, low) = stored.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(truncatingIfNeeded: high ^ low >> 32) & (keys.count &- 1)
    }

    @inline(__always)
    private mutating func makeRoom() {
        if count &* 4 >= keys.count &* 3 { grow() }
    }

    private mutating func grow() {
        let (oldKeys, oldValues) = (keys, values)
        let capacity = max(8, oldKeys.count * 2)
        keys = [UInt64](repeating: 0, count: capacity)
        values = [Value](repeating: empty, count: capacity)
        for old in oldKeys.indices where oldKeys[old] != 0 {
            let slot = slot(of: HandleKey(rawValue: oldKeys[old] &- 1))
            keys[slot] = oldKeys[old]
            values[slot] = oldValues[old]
        }
    }
}

extension HandleKey {
    fileprivate init(rawValue: UInt64) { self.rawValue = rawValue }
}
