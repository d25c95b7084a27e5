import PurchaseEvents

/// The devices on which the queue presented a transaction and which have not finished it, and those
/// that have (event-log.md, 2).
///
/// Memory is proportional to the open presentations, and four bytes for each transaction.
struct Presentations: Sendable, Snapshotted {
    /// The first device for each transaction; most transactions are shown on no other.
    private var first = HandleMap<UInt32>(0)
    private var others: [TransactionHandle: Set<UInt32>] = [:]
    /// The first device that finished each transaction, plus 1, and the other such devices.
    fileprivate var finisher = DenseTable<UInt32>(0)
    fileprivate var otherFinishers: [TransactionHandle: Set<UInt32>] = [:]
    /// Whether the latest finished transaction was open on the device that finished it.
    private(set) var wasShown = false

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&first).visit(&others).visit(&finisher).visit(&otherFinishers)
        visitor.visit(&wasShown)
    }

    /// Whether a device was shown a transaction and has not finished it since.
    func isOpen(_ transaction: TransactionHandle) -> Bool { first[HandleKey(transaction)] != nil }

    mutating func open(_ transaction: TransactionHandle, on device: Int) {
        let device = UInt32(truncatingIfNeeded: device)
        guard let known = first[HandleKey(transaction)] else {
            first[HandleKey(transaction)] = device
            return
        }
        if known != device { others[transaction, default: []].insert(device) }
    }

    /// Records that a device finishes a transaction.
    ///
    /// The first finish by a device that was not shown the transaction closes it on all devices.
    mutating func finish(_ transaction: TransactionHandle, on device: Int, isFirst: Bool) {
        let device = UInt32(truncatingIfNeeded: device)
        wasShown = remove(transaction, device)
        noteFinisher(transaction, device)
        guard !wasShown, isFirst, let known = first.remove(HandleKey(transaction)) else { return }
        noteFinisher(transaction, known)
        for other in others.removeValue(forKey: transaction) ?? [] {
            noteFinisher(transaction, other)
        }
    }

    private mutating func noteFinisher(_ transaction: TransactionHandle, _ device: UInt32) {
        let known = finisher[transaction.index]
        if known == 0 {
            finisher[transaction.index] = device &+ 1
        } else if known != device &+ 1 {
            otherFinishers[transaction, default: []].insert(device)
        }
    }

    /// Removes a device from a transaction; `false` if the transaction was not open on it.
    private mutating func remove(_ transaction: TransactionHandle, _ device: UInt32) -> Bool {
        guard let known = first[HandleKey(transaction)] else { return false }
        if known == device {
            first[HandleKey(transaction)] = others.isEmpty ? nil : others[transaction]?.popFirst()
        } else if others[transaction]?.remove(device) == nil {
            return false
        }
        if !others.isEmpty, others[transaction]?.isEmpty ?? false { others[transaction] = nil }
        return true
    }
}

extension Facts {
    mutating func present(_ transaction: TransactionHandle, _ event: LogEvent) {
        presentations.open(transaction, on: Facts.index(of: event.device))
    }

    /// Records that a device finishes a transaction; call it after the facts have recorded the
    /// event.
    mutating func finish(_ transaction: TransactionHandle, _ event: LogEvent) {
        let isFirst = transactions[transaction.index].previousFinishedLine == 0
        presentations.finish(transaction, on: Facts.index(of: event.device), isFirst: isFirst)
    }

    /// Whether a device finished a transaction; a line without a device is on every one.
    ///
    /// Reads one table at a time: all presentations together would be copied.
    func hasFinished(_ transaction: TransactionHandle, on device: DeviceHandle?) -> Bool {
        let known = presentations.finisher[transaction.index]
        guard known != 0 else { return false }
        let device = UInt32(truncatingIfNeeded: Facts.index(of: device))
        if device == 0 || known == 1 || known == device &+ 1 { return true }
        guard let others = presentations.otherFinishers[transaction] else { return false }
        return others.contains(0) || others.contains(device)
    }
}
