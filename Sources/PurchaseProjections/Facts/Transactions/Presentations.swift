import PurchaseEvents

/// The devices on which the queue presented a transaction and which have not finished it
/// (event-log.md, 2).
///
/// Memory is proportional to the open presentations.
struct Presentations: Sendable {
    /// The first device for each transaction; most transactions are shown on no other.
    private var first = HandleMap<UInt32>(0)
    private var others: [TransactionID<Interned>: Set<UInt32>] = [:]
    /// Devices on which a transaction is open again after they may have finished it.
    private var again: [TransactionID<Interned>: Set<UInt32>] = [:]
    /// Whether the latest finished transaction was open on the device that finished it.
    private(set) var wasShown = false

    /// Whether a device was shown a transaction and has not finished it since.
    func isOpen(_ transaction: TransactionID<Interned>, on device: Int) -> Bool {
        let device = UInt32(truncatingIfNeeded: device)
        guard let known = first[HandleKey(transaction)] else { return false }
        return known == device || (others[transaction]?.contains(device) ?? false)
    }

    /// Whether a device may have finished an open transaction before.
    func isOpenAgain(_ transaction: TransactionID<Interned>, on device: Int) -> Bool {
        guard !again.isEmpty else { return false }
        return again[transaction]?.contains(UInt32(truncatingIfNeeded: device)) ?? false
    }

    /// Records that a device is shown a transaction that is not open on it.
    mutating func open(
        _ transaction: TransactionID<Interned>, on device: Int, isAgain: Bool
    ) {
        let device = UInt32(truncatingIfNeeded: device)
        if isAgain { again[transaction, default: []].insert(device) }
        if first[HandleKey(transaction)] == nil {
            first[HandleKey(transaction)] = device
        } else {
            others[transaction, default: []].insert(device)
        }
    }

    /// Records that a device finishes a transaction.
    ///
    /// The first finish by a device that was not shown the transaction closes it on all devices.
    mutating func finish(
        _ transaction: TransactionID<Interned>, on device: Int, isFirst: Bool
    ) {
        wasShown = remove(transaction, UInt32(truncatingIfNeeded: device))
        guard !wasShown, isFirst else { return }
        first.remove(HandleKey(transaction))
        if !others.isEmpty { others[transaction] = nil }
        if !again.isEmpty { again[transaction] = nil }
    }

    /// Removes a device from a transaction; `false` if the transaction was not open on it.
    private mutating func remove(
        _ transaction: TransactionID<Interned>, _ device: UInt32
    ) -> Bool {
        guard let known = first[HandleKey(transaction)] else { return false }
        if known == device {
            first[HandleKey(transaction)] = others.isEmpty ? nil : others[transaction]?.popFirst()
        } else if others[transaction]?.remove(device) == nil {
            return false
        }
        if !others.isEmpty, others[transaction]?.isEmpty ?? false { others[transaction] = nil }
        if !again.isEmpty {
            again[transaction]?.remove(device)
            if again[transaction]?.isEmpty ?? false { again[transaction] = nil }
        }
        return true
    }
}

extension Facts {
    /// Records that a device is shown a transaction; call it after the facts have recorded the
    /// event.
    mutating func present(_ transaction: TransactionID<Interned>, _ event: Event<Interned>) {
        let device = Facts.index(of: event.device)
        if !presentations.isOpen(transaction, on: device) {
            let isAgain = mayHaveFinished(transaction, on: event.device)
            presentations.open(transaction, on: device, isAgain: isAgain)
        }
        devices[device].entryLine = latestLine
    }

    /// Records that a device finishes a transaction; call it after the facts have recorded the
    /// event.
    mutating func finish(_ transaction: TransactionID<Interned>, _ event: Event<Interned>) {
        let device = Facts.index(of: event.device)
        let isFirst = transactions[transaction.index].previousFinishedLine == 0
        presentations.finish(transaction, on: device, isFirst: isFirst)
        devices[device].entryLine = latestLine
    }

    /// Whether a device may have finished a transaction that is not open on it.
    ///
    /// The device has not finished it if the device's queue was silent from the first event of the
    /// transaction's queue entry until now, or until a launch after the latest finish.
    private func mayHaveFinished(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) -> Bool {
        guard self[transaction].isFinished else { return false }
        guard device != nil else { return true }
        let known = self[transaction]
        // Subtracting one turns 0 into the greatest number, so `min` ignores missing lines.
        let presented = min(known.purchasedLine &- 1, known.restoredLine &- 1) &+ 1
        let begun = presented == 0 ? known.finishedLine : min(presented, known.finishedLine)
        let its = self[device]
        if its.entryLine < begun { return false }
        return its.entryLineBeforeLaunch >= begun || known.latestFinishedLine > its.launchedLine
    }

    /// Whether a device may have finished a transaction before the latest presentation on it.
    func isPresentedAgain(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) -> Bool {
        presentations.isOpenAgain(transaction, on: Facts.index(of: device))
    }
}
