import PurchaseEvents

/// Values of queue entries, each on the devices that presented or delivered the entry.
///
/// Most entries are on one device, which needs no nested table. Memory is proportional to
/// the entries that are kept.
struct DeviceEntries<Value: Sendable>: Sendable {
    fileprivate struct Place: Sendable {
        var device: UInt32
        var value: Value
    }

    /// The first device of each entry, and the others.
    fileprivate var first: HandleMap<Place>
    fileprivate var others: [HandleKey: [UInt32: Value]] = [:]

    /// Creates an empty table; `empty` fills unused slots.
    init(_ empty: Value) { first = HandleMap(Place(device: 0, value: empty)) }

    /// Sets the value of an entry on a device; returns the value before, `nil` if there was none.
    @discardableResult
    mutating func replace(_ value: Value, _ key: HandleKey, on device: Int) -> Value? {
        let device = UInt32(truncatingIfNeeded: device)
        let place = first[key]
        if let place, place.device != device {
            return others[key, default: [:]].updateValue(value, forKey: device)
        }
        first[key] = Place(device: device, value: value)
        return place?.value
    }

    /// The value of an entry on a device; `nil` if there is none.
    func value(_ key: HandleKey, on device: Int) -> Value? {
        let device = UInt32(truncatingIfNeeded: device)
        guard let place = first[key] else { return nil }
        return place.device == device ? place.value : others[key]?[device]
    }

    func contains(_ key: HandleKey) -> Bool { first[key] != nil }

    func isOnSeveral(_ key: HandleKey) -> Bool {
        !others.isEmpty && others[key].map { !$0.isEmpty } ?? false
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

    struct Held: Sendable {
        var device: Int
        var value: Value
    }

    /// Removes an entry from all devices; returns its values by device.
    mutating func removeAll(_ key: HandleKey) -> InlineList<Held> {
        guard let place = first.remove(key) else { return InlineList() }
        let held = Held(device: Int(place.device), value: place.value)
        guard !others.isEmpty, let rest = others.removeValue(forKey: key) else {
            var removed = InlineList<Held>()
            removed.append(held)
            return removed
        }
        let all = [held] + rest.map { Held(device: Int($0.key), value: $0.value) }
        return InlineList(all.sorted { $0.device < $1.device })
    }

    /// All values, in no meaningful order.
    var all: [(key: HandleKey, device: Int, value: Value)] {
        first.entries.map { ($0.key, Int($0.value.device), $0.value.value) }
            + others.flatMap { key, values in values.map { (key, Int($0.key), $0.value) } }
    }
}

extension DeviceEntries.Place: BitwiseCopyable where Value: BitwiseCopyable {}

extension FieldVisitor {
    /// Visits the values of queue entries as their bytes.
    @discardableResult
    func visit<Value: BitwiseCopyable>(_ entries: inout DeviceEntries<Value>) -> FieldVisitor {
        visit(&entries.first)
        visitEntries(&entries.others, empty: [:]) { visit(&$0) }
        return self
    }
}
