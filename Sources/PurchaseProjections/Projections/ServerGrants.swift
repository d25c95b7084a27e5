import PurchaseEvents

/// When the log begins to show what a server grants: its first delivery without a device.
///
/// A device delivers what its own queue presents, and the log may lack the other devices. A server
/// delivers what statements attest. Once a queue or a launch names no device either, a delivery
/// without a device may be that device's, and says nothing about a server.
package struct ServerGrants: Sendable, Snapshotted {
    private var first: Timestamp?
    private var isUnnamedDevice = false

    package mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&first).visit(&isUnnamedDevice)
    }

    /// Creates the value at the beginning of a log.
    package init() {}

    /// The date of the earliest grant of a server; `nil` if the log shows none.
    package var since: Timestamp? { isUnnamedDevice ? nil : first }

    /// Reads an event without a device, of a type that ``Pending`` reads; returns whether it
    /// changed the value.
    @discardableResult
    package mutating func observe(_ event: LogEvent, _ facts: Facts) -> Bool {
        guard event.type == .deliveryDelivered else {
            defer { isUnnamedDevice = true }
            return !isUnnamedDevice
        }
        // Environments never mix (G9.3).
        guard facts.environment(of: event) == facts.logEnvironment,
            first.map({ event.at < $0 }) ?? true
        else { return false }
        first = event.at
        return true
    }
}
