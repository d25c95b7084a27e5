import PurchaseEvents

/// Values of queue entries, each on the devices that presented the entry.
///
/// Most entries are presented on one device, which needs no nested table. Memory is proportional to
/// the entries that are kept.
struct DeviceEntries<Value: Sendable>: Sendable {
    private struct Place: Sendable {
        var device: UInt32
        var value: Value
    }

    /// The first device of each entry, and the others.
    private var first: HandleMap<Place>
    private var others: [HandleKey: [UInt32: Value]] = [:]

    /// Creates an empty table; `empty` fills unused slots.
    init(_ empty: Value) { first = HandleMap(Place(device: 0, value: empty)) }

    /// The value of an entry on a device; `nil` if there is none.
    func value(_ key: HandleKey, on device: Int) -> Value? {
        let device = UInt32(truncatingIfNeeded: device)
        guard let place = first[key] else { return nil }
        return place.device == device ? place.value : others[key]?[device]
    }

    /// Sets the value of an entry on a device.
    mutating func set(_ value: Value, _ key: HandleKey, on device: Int) {
        let device = UInt32(truncatingIfNeeded: device)
        if let place = first[key], place.device != device {
            others[key, default: [:]][device] = value
        } else {
            first[key] = Place(device: device, value: value)
        }
    }

    /// Removes an entry from a device; returns its value.
    mutating func remove(_ key: HandleKey, on device: Int) -> Value? {
        let device = UInt32(truncatingIfNeeded: device)
        guard let place = first[key] else { return nil }
        guard place.device == device else { return others[key]?.removeValue(forKey: device) }
        first.remove(key)
        guard !others.isEmpty else { return place.value }
        // Another device takes the free place.
        if let other = others[key]?.popFirst() {
            first[key] = Place(device: other.key, value: other.value)
        } else {
            others[key] = nil
        }
        return place.value
    }

    /// Removes an entry from all devices; returns its values by device.
    mutating func removeAll(_ key: HandleKey) -> [(device: Int, value: Value)] {
        guard let place = first[key] else { return [] }
        first.remove(key)
        var removed = [(device: Int(place.device), value: place.value)]
        guard !others.isEmpty, let rest = others.removeValue(forKey: key) else { return removed }
        removed += rest.map { (Int($0.key), $0.value) }
        return removed.sorted { $0.device < $1.device }
    }

    /// All values, in no meaningful order.
    var all: [(key: HandleKey, device: Int, value: Value)] {
        first.entries.map { ($0.key, Int($0.value.device), $0.value.value) }
            + others.flatMap { key, values in values.map { (key, Int($0.key), $0.value) } }
    }
}
