import PurchaseEvents

/// The `id`s that a log has used, at 24 bytes and a slot each, without their texts.
///
/// An `id` is identified by 96 bits of its fingerprint: among ten million ids, the chance of a
/// collision is less than 10⁻¹⁴.
struct IdentifierTable: Sendable, Snapshotted {
    private struct Entry: Sendable {
        var high: UInt64 = 0, digest: UInt64 = 0
        var low: UInt32 = 0
        var line: LineNumber = 0
    }

    /// Entry indices plus one, hashed by fingerprint; 0 marks an empty slot.
    private var slots = [UInt32](repeating: 0, count: 16)
    private var entries = DenseTable(Entry())

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&slots).visit(&entries) }

    /// The content and line of an `id` used before; `nil` if the `id` is new, which is then added.
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

    private func slot(of high: UInt64) -> Int { Int(truncatingIfNeeded: high) & (slots.count &- 1) }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        for place in entries.indices {
            var slot = self.slot(of: entries[place].high)
            while slots[slot] != 0 { slot = (slot &+ 1) & (slots.count &- 1) }
            slots[slot] = UInt32(place + 1)
        }
    }
}
