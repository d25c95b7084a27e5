/// Maps the fingerprint of each `id` to the offsets of its lines in the log.
///
/// The index takes 36 to 72 bytes for each `id`, in slots of 24 bytes, and keeps no text. A
/// fingerprint only says where to look: the caller reads the line and compares, so colliding names
/// stay distinct, and content is compared byte by byte.
struct IDIndex: Sendable {
    private struct Slot {
        var fingerprint = Fingerprint(high: 0, low: 0)
        /// The offset of the line, or -1 in an empty slot.
        var offset: Int64 = -1
    }

    /// An open-addressing table with linear probing; its size is a power of two, and at most two
    /// thirds are in use.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private(set) var count = 0
    private let seed: UInt64

    /// Creates an empty index whose fingerprints use the same seed as a name table.
    init(seed: UInt64 = NameTable.usualSeed) { self.seed = seed }

    /// The fingerprint of an `id`.
    func fingerprint(of id: String) -> Fingerprint {
        id.withTextBytes { bytes in
            NameTable.fingerprint(of: UnsafeRawBufferPointer(bytes), seed: seed)
        }
    }

    /// Adds the offset of an event's line.
    mutating func insert(_ fingerprint: Fingerprint, at offset: Int64) {
        if (count + 1) * 3 > slots.count * 2 { grow() }
        place(Slot(fingerprint: fingerprint, offset: offset))
        count += 1
    }

    /// The offsets of the events whose `id` has this fingerprint, in order: at most one, unless
    /// fingerprints collide or another writer repeated an `id`.
    func offsets(of fingerprint: Fingerprint) -> [Int64] {
        var offsets: [Int64] = []
        var slot = home(of: fingerprint)
        while slots[slot].offset >= 0 {
            if slots[slot].fingerprint == fingerprint { offsets.append(slots[slot].offset) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return offsets.count > 1 ? offsets.sorted() : offsets
    }

    private func home(of fingerprint: Fingerprint) -> Int {
        Int(truncatingIfNeeded: fingerprint.low) & (slots.count - 1)
    }

    private mutating func place(_ entry: Slot) {
        var slot = home(of: entry.fingerprint)
        while slots[slot].offset >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.offset >= 0 { place(slot) }
    }
}
