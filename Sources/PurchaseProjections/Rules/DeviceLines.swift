import PurchaseEvents

/// The latest line at which something was done to a transaction on each device; most transactions
/// have one device.
///
/// What names no device counts as done on every device.
struct DeviceLines: Sendable {
    private struct Place: Sendable {
        /// The index of the device, plus 1; 0 if there is none.
        var device: UInt32 = 0
        var line: LineNumber = 0
    }

    private var first = DenseTable(Place())
    private var others: [HandleKey: LineNumber] = [:]

    /// Records a line, later than those recorded before.
    mutating func set(
        _ transaction: TransactionID<Interned>, _ device: DeviceID<Interned>?, _ line: LineNumber
    ) {
        let mark = DeviceLines.mark(device)
        if first[transaction.index].device == 0 || first[transaction.index].device == mark {
            first[transaction.index] = Place(device: mark, line: line)
        } else {
            others[HandleKey(mark, UInt32(transaction.index))] = line
        }
    }

    /// The latest line for a transaction on a device, on any if none is named; 0 if there is none.
    func line(
        _ transaction: TransactionID<Interned>, _ device: DeviceID<Interned>?
    ) -> LineNumber {
        let place = first[transaction.index]
        guard place.device != 0 else { return 0 }
        let (mark, anywhere) = (DeviceLines.mark(device), DeviceLines.mark(nil))
        let isHere = device == nil || place.device == mark || place.device == anywhere
        let line = isHere ? place.line : 0
        guard !others.isEmpty else { return line }
        return [mark, anywhere].reduce(line) {
            max($0, others[HandleKey($1, UInt32(transaction.index))] ?? 0)
        }
    }

    private static func mark(_ device: DeviceID<Interned>?) -> UInt32 {
        UInt32(truncatingIfNeeded: Facts.index(of: device)) &+ 1
    }
}
