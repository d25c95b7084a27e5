/// Where the events that carry an `id` stand in the log, by the fingerprint of the `id`.
///
/// 24 bytes an `id` and no text. A fingerprint only says where to look: whoever asks reads the line
/// and compares, so two names of one fingerprint are still two, and content is compared byte by
/// byte.
struct IDIndex: Sendable {
    private struct Slot {
        var fingerprint = Fingerprint(high: 0, low: 0)
        /// Where the line begins; -1 in an empty slot.
        var offset: Int64 = -1
    }

    /// A power of two, filled to two thirds at most; probed one after the other.
    private var slots = [Slot](repeating: Slot(), count: 16)
    private(set) var count = 0
    private let seed: UInt64

    /// An empty index of fingerprints as a table of names with that seed gives them.
    init(seed: UInt64 = NameTable.usualSeed) { self.seed = seed }

    /// The fingerprint of an `id`.
    func fingerprint(of id: String) -> Fingerprint {
        id.withLineBytes { bytes in
            NameTable.fingerprint(of: UnsafeRawBufferPointer(bytes), seed: seed)
        }
    }

    /// Adds the place of an event.
    mutating func insert(_ fingerprint: Fingerprint, at offset: Int64) {
        if (count + 1) * 3 > slots.count * 2 { grow() }
        place(Slot(fingerprint: fingerprint, offset: offset))
        count += 1
    }

    /// The places of the events whose `id` has that fingerprint: one, but for repeats in a log
    /// that others wrote, and for chance.
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
