import PurchaseEvents

/// On which devices the queue has presented a transaction that they have not finished
/// (event-log.md, 2).
///
/// Costs memory for what is open.
struct Presentations: Sendable {
    /// By transaction the first such device; most are shown on no other.
    private var first = HandleMap<UInt32>(0)
    private var others: [TransactionID<Interned>: [UInt32]] = [:]
    /// Where one is open again, though its device may have finished it before.
    private var again: [TransactionID<Interned>: [UInt32]] = [:]
    /// Whether the finish that was read last ended a presentation on its device.
    private(set) var wasShown = false

    /// Whether a device was shown a transaction and has not finished it since.
    func isOpen(_ transaction: TransactionID<Interned>, on device: Int) -> Bool {
        let device = UInt32(truncatingIfNeeded: device)
        guard let known = first[HandleKey(transaction)] else { return false }
        return known == device || (others[transaction]?.contains(device) ?? false)
    }

    /// Whether what is open on a device may have been finished on it before.
    func isOpenAgain(_ transaction: TransactionID<Interned>, on device: Int) -> Bool {
        guard !again.isEmpty else { return false }
        return again[transaction]?.contains(UInt32(truncatingIfNeeded: device)) ?? false
    }

    /// Takes in that a device is shown a transaction that isn't open on it.
    mutating func open(
        _ transaction: TransactionID<Interned>, on device: Int, isAgain: Bool
    ) {
        let device = UInt32(truncatingIfNeeded: device)
        if isAgain { again[transaction, default: []].append(device) }
        if first[HandleKey(transaction)] == nil {
            first[HandleKey(transaction)] = device
        } else {
            others[transaction, default: []].append(device)
        }
    }

    /// Takes in that a device finishes a transaction: the first finish by one that was not shown
    /// it ends it everywhere.
    mutating func finish(
        _ transaction: TransactionID<Interned>, on device: Int, isFirst: Bool
    ) {
        wasShown = remove(transaction, UInt32(truncatingIfNeeded: device))
        guard !wasShown, isFirst else { return }
        first.remove(HandleKey(transaction))
        if !others.isEmpty { others[transaction] = nil }
        if !again.isEmpty { again[transaction] = nil }
    }

    /// Removes a device of a transaction; `false` where it wasn't there.
    private mutating func remove(
        _ transaction: TransactionID<Interned>, _ device: UInt32
    ) -> Bool {
        guard let known = first[HandleKey(transaction)] else { return false }
        var rest = others.isEmpty ? [] : others[transaction] ?? []
        if known == device {
            first[HandleKey(transaction)] = rest.isEmpty ? nil : rest.removeFirst()
        } else if let place = rest.firstIndex(of: device) {
            rest.remove(at: place)
        } else {
            return false
        }
        if !others.isEmpty { others[transaction] = rest.isEmpty ? nil : rest }
        if !again.isEmpty, var devices = again[transaction] {
            devices.removeAll { $0 == device }
            again[transaction] = devices.isEmpty ? nil : devices
        }
        return true
    }
}

extension Facts {
    /// Takes in that a device is shown a transaction, which the facts know as that already.
    mutating func present(_ transaction: TransactionID<Interned>, _ event: Event<Interned>) {
        let device = Facts.index(of: event.device)
        if !presentations.isOpen(transaction, on: device) {
            let isAgain = mayHaveFinished(transaction, on: event.device)
            presentations.open(transaction, on: device, isAgain: isAgain)
        }
        devices[device].entryLine = latestLine
    }

    /// Takes in that a device finishes a transaction, which the facts know as that already.
    mutating func finish(_ transaction: TransactionID<Interned>, _ event: Event<Interned>) {
        let device = Facts.index(of: event.device)
        let isFirst = transactions[transaction.index].finishedEarlierLine == 0
        presentations.finish(transaction, on: device, isFirst: isFirst)
        devices[device].entryLine = latestLine
    }

    /// Whether a device may have finished a transaction that isn't open on it.
    ///
    /// It has not where its queue was silent from the first that was heard of the transaction's
    /// entry up to now, or up to a launch after the latest finish.
    private func mayHaveFinished(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) -> Bool {
        guard self[transaction].isFinished else { return false }
        guard device != nil else { return true }
        let known = self[transaction]
        // Of 0 one less is the greatest number.
        let presented = min(known.purchasedLine &- 1, known.restoredLine &- 1) &+ 1
        let begun = presented == 0 ? known.finishedLine : min(presented, known.finishedLine)
        let its = self[device]
        if its.entryLine < begun { return false }
        return its.entryLineBeforeLaunch >= begun || known.finishedAgainLine > its.launchedLine
    }

    /// Whether a transaction was presented last on a device that may have finished it before.
    func isPresentedAgain(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) -> Bool {
        presentations.isOpenAgain(transaction, on: Facts.index(of: device))
    }
}
