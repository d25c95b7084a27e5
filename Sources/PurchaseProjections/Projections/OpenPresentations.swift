import PurchaseEvents

/// A presentation of a transaction that no device has finished since.
struct OpenPresentation: Sendable {
    var device: DeviceHandle?
    /// When the device was first shown the transaction.
    var since: Timestamp
    var count: Int64 = 1
}

/// The presentations of a transaction, by device, since a device last finished it.
struct OpenPresentations: Sendable, Snapshotted {
    /// The only presentation: most transactions are presented on one device.
    private var one: OpenPresentation?
    /// All presentations by device; empty where there is only one.
    private var several: [DeviceHandle?: OpenPresentation] = [:]

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&one).visit(&several) }

    /// The presentations, in no meaningful order.
    var all: [OpenPresentation] { one.map { [$0] } ?? Array(several.values) }

    mutating func present(on device: DeviceHandle?, at time: Timestamp) {
        let new = OpenPresentation(device: device, since: time, count: 0)
        if let known = one, known.device != device {
            several.updateValue(known, forKey: known.device)
            one = nil
        }
        if several.isEmpty {
            one = one ?? new
            one?.count += 1
        } else {
            several[device, default: new].count += 1
        }
    }

    /// Removes the presentation on a device; returns whether another one stays open.
    ///
    /// None stays open if the transaction was not presented on the device.
    mutating func remove(from device: DeviceHandle?) -> Bool {
        several.removeValue(forKey: device) != nil && !several.isEmpty
    }
}
