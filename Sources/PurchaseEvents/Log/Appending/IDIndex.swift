/// Maps the fingerprint of each `id` to the offset of its first line in the log.
///
/// The index takes 36 to 72 bytes for each `id`, in slots of 24 bytes, and keeps no text. A
/// fingerprint only says where to look: the caller reads the line and compares its `id` and its
/// content byte by byte. Another writer may have repeated an `id`; the first line says what the
/// `id` stands for, and no later line costs memory or time.
struct IDIndex: Sendable, Snapshotted {
    private struct Slot {
        var fingerprint = Fingerprint(high: 0, low: 0)
        /// The offset of the line, or -1 in an empty slot.
        var offset: Int64 = -1
    }

    /// An open-addressing table with linear probing; its size is a power of two, and at most two
    /// thirds are in use.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private(set) var count = 0
    private(set) var key: HashKey

    init(key: HashKey = .ofProcess) { self.key = key }

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&key).visit(&slots).visit(&count)
    }

    func fingerprint(of id: String) -> Fingerprint { NameTable.fingerprint(of: id, key) }

    /// Adds the offset of an event's line, unless an earlier line has its `id`.
    mutating func insert(_ fingerprint: Fingerprint, at offset: Int64) {
        if (count + 1) * 3 > slots.count * 2 { grow() }
        let slot = slot(of: fingerprint)
        guard slots[slot].offset < 0 else { return }
        slots[slot] = Slot(fingerprint: fingerprint, offset: offset)
        count += 1
    }

    func offset(of fingerprint: Fingerprint) -> Int64? {
        let offset = slots[slot(of: fingerprint)].offset
        return offset < 0 ? nil : offset
    }

    /// The slot of a fingerprint, or the empty slot where the fingerprint belongs.
    private func slot(of fingerprint: Fingerprint) -> Int {
        var slot = Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
        while slots[slot].offset >= 0, slots[slot].fingerprint != fingerprint {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for entry in old where entry.offset >= 0 { slots[slot(of: entry.fingerprint)] = entry }
    }
}
