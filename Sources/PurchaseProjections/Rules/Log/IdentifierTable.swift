import PurchaseEvents

/// The `id`s that a log has used: for each 24 bytes and its slot, and no text.
///
/// An `id` is known by 96 bits of its fingerprint: of ten million, two are taken for one with a
/// chance of less than 10⁻¹⁴.
struct IdentifierTable: Sendable {
    private struct Entry: Sendable {
        var high: UInt64 = 0, digest: UInt64 = 0
        var low: UInt32 = 0
        var line: LineNumber = 0
    }

    /// The place of an entry plus one, by the low bits of its fingerprint; 0 is an empty slot.
    private var slots = [UInt32](repeating: 0, count: 16)
    private var entries = DenseTable(Entry())

    /// The content and the line of an `id` that was used before; otherwise takes it in.
    mutating func insert(
        _ id: Fingerprint, _ digest: UInt64, _ line: LineNumber
    ) -> (digest: UInt64, line: LineNumber)? {
        let low = UInt32(truncatingIfNeeded: id.low)
        var slot = self.slot(of: id.high)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) &- 1
            if entries[place].high == id.high, entries[place].low == low {
                return (entries[place].digest, entries[place].line)
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        entries.append(Entry(high: id.high, digest: digest, low: low, line: line))
        slots[slot] = UInt32(entries.count)
        if entries.count &* 4 > slots.count &* 3 { grow() }
        return nil
    }

    private func slot(of high: UInt64) -> Int {
        Int(truncatingIfNeeded: high) & (slots.count &- 1)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for place in entries.indices {
            var slot = self.slot(of: entries[place].high)
            while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
            slots[slot] = UInt32(place + 1)
        }
    }
}
