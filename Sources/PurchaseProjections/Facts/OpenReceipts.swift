import PurchaseEvents

/// The refreshed receipts whose rows may still follow, because nothing else of the same recorder
/// came since.
///
/// The recorder is the device that refreshed the receipt. Lines without a device may come from
/// several servers, so the recorder is then the account, and also the unnamed device. Rows and
/// validations of receipts never end a receipt.
struct OpenReceipts: Sendable, Snapshotted {
    /// The line of the open receipt of each named device, and of each account without a device; 0
    /// if there is none.
    private var byDevice = DenseTable<LineNumber>(0), byAccount = DenseTable<LineNumber>(0)
    /// The latest line of the unnamed device.
    var unnamedLine: LineNumber = 0
    private(set) var count = 0

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&byDevice).visit(&byAccount).visit(&unnamedLine).visit(&count)
    }

    /// Ends the receipt that an event shows to be whole, and begins the one that it refreshes.
    mutating func observe(_ event: LogEvent, on line: LineNumber) {
        if event.type == .receiptValidated { return }
        if event.type == .receiptListed, case .receiptListed(let row) = event.fact,
            row.receipt != nil
        {
            return
        }
        let opened = event.type == .receiptRefreshed ? line : 0
        if let device = event.device {
            count += OpenReceipts.replace(device.index, in: &byDevice, by: opened)
        } else if let account = event.account {
            count += OpenReceipts.replace(account.index, in: &byAccount, by: opened)
        }
    }

    /// Replaces a line in a table; returns how many more receipts are open.
    private static func replace(
        _ index: Int, in table: inout DenseTable<LineNumber>, by line: LineNumber
    ) -> Int {
        let before = table[index]
        if before != line { table[index] = line }
        return (line == 0 ? 0 : 1) - (before == 0 ? 0 : 1)
    }

    func contains(
        _ line: LineNumber, of account: AccountHandle, on device: DeviceHandle?
    ) -> Bool {
        guard let device else { return byAccount[account.index] == line && line > unnamedLine }
        return byDevice[device.index] == line
    }
}
