import PurchaseEvents

/// Envelope keys that some rules read, on events of any type.
package struct EnvelopeKeys: OptionSet, Hashable, Sendable {
    /// One bit for each key.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The notification that states the event.
    package static let source = EnvelopeKeys(rawValue: 1)
    /// The event's idempotency key.
    package static let id = EnvelopeKeys(rawValue: 2)

    /// The keys that an event has.
    @inline(__always)
    init(_ event: LogEvent) { rawValue = (event.source == nil ? 0 : 1) | (event.id == nil ? 0 : 2) }
}
