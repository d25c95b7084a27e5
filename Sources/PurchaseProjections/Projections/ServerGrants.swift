import PurchaseEvents

/// When the log begins to show what a server grants: the first delivery of a recorder that is no
/// installation of the app.
///
/// An installation delivers what its own queue presents, and the log may lack the others. A server
/// delivers what statements attest. A recorder is the device that events name, or the unnamed one.
/// It is an installation once an event of the queue, a payment or a launch names it.
package struct ServerGrants: Sendable, Snapshotted {
    private struct Recorder: Sendable {
        var firstGrant = Timestamp.latest
        var isInstallation = false
    }

    private var recorders = HandleMap(Recorder())

    package mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&recorders) }

    /// Creates the value at the beginning of a log.
    package init() {}

    /// The date of the earliest grant of a server; `nil` if the log shows none.
    package var since: Timestamp? {
        recorders.entries.lazy.filter { !$0.value.isInstallation }.map(\.value.firstGrant).min()
    }

    /// Reads an event of a type that ``Pending`` reads; returns whether it may change ``since``.
    @discardableResult
    package mutating func observe(_ event: LogEvent, _ facts: Facts) -> Bool {
        let key = HandleKey(0, UInt32(truncatingIfNeeded: Facts.index(of: event.device)))
        let known = recorders[key]
        if known?.isInstallation ?? false { return false }
        guard event.type == .deliveryDelivered else {
            recorders[orEmpty: key].isInstallation = true
            return known != nil
        }
        // Environments never mix (G9.3).
        guard facts.environment(of: event) == facts.logEnvironment,
            known.map({ event.at < $0.firstGrant }) ?? true
        else { return false }
        recorders[orEmpty: key].firstGrant = event.at
        return true
    }
}
