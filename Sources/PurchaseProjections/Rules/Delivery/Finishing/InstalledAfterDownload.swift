import PurchaseEvents

/// Downloads are installed before the finish, if the log shows installs (G4.18).
///
/// An install names a transaction, not a download: an install counts if it follows the first finish
/// of each of the transaction's downloads. Each device downloads and installs for itself; an event
/// without a device may be on any, so any device's install counts for a download or a finish that
/// names no device. Before the log's first install, finishes without an install are kept, at 16
/// bytes each, and reported at that install.
struct InstalledAfterDownload: CatalogueRule {
    static let level = Level.warning
    static let statement =
        "Where the log shows installs, what was downloaded for a transaction is installed before "
        + "the transaction is finished; a download that was cancelled stays cancelled."
    static let evidence = ["G4.18"]
    static let reads = EventTypes(.queueFinished, .deliveryInstalled, .deliveryDownload)

    private struct Suspect {
        var transaction: TransactionHandle
        var line: LineNumber
        /// The line at which the last of its downloads ended.
        var endedLine: LineNumber
        var mayBeIncomplete: Bool
    }

    /// The latest lines at which a download of a transaction first ended and first finished, and at
    /// which the transaction was installed.
    private struct Ends {
        var ended: LineNumber = 0, finished: LineNumber = 0, installed: LineNumber = 0
    }

    /// The device of the entries that stand for all devices together.
    private static let everyDevice = UInt32.max

    /// By transaction and device, and by transaction for all devices together.
    private var ends = HandleMap(Ends())
    private var showsInstalls = false
    /// Before the first install: the number of tests, and the finishes that would be findings.
    private var tests = 0
    private var suspects: [Suspect] = []

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&ends).visit(&showsInstalls).visit(&tests).visit(&suspects)
    }

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        if event.type == .deliveryDownload, case .deliveryDownload(let download) = event.fact {
            return end(download, event.device, line.number, facts)
        }
        if event.type == .deliveryInstalled, let transaction = event.transaction {
            update(transaction, event.device) { $0.installed = line.number }
            guard !showsInstalls else { return }
            showsInstalls = true
            report.test(times: tests)
            for suspect in suspects { find(suspect, facts, &report) }
            suspects = []
            return
        }
        guard let transaction = Finishing.transaction(of: event, facts),
            facts[transaction].finishedDownloads > 0
        else { return }
        guard let known = downloaded(transaction, event.device) else { return }
        if showsInstalls { report.test() } else { tests += 1 }
        guard !known.isInstalled, !Finishing.losesNothing(transaction, at: event, facts)
        else { return }
        let suspect = Suspect(
            transaction: transaction, line: line.number, endedLine: known.endedLine,
            mayBeIncomplete: facts.incompleteReason != nil)
        if showsInstalls { find(suspect, facts, &report) } else { suspects.append(suspect) }
    }

    private mutating func end(
        _ download: DeliveryDownload<Interned>, _ device: DeviceHandle?,
        _ line: LineNumber, _ facts: Facts
    ) {
        guard download.state.isTerminal,
            facts.download(download.download, of: download.transaction, on: device)?.endedLine
                == line
        else { return }
        update(download.transaction, device) { known in
            known.ended = line
            if download.state == .finished { known.finished = line }
        }
    }

    /// Changes the entries of a device and of all devices together.
    private mutating func update(
        _ transaction: TransactionHandle, _ device: DeviceHandle?, _ change: (inout Ends) -> Void
    ) {
        let name = transaction.name.rawValue
        change(&ends[orEmpty: HandleKey(name, UInt32(clamping: Facts.index(of: device)))])
        change(&ends[orEmpty: HandleKey(name, InstalledAfterDownload.everyDevice)])
    }

    /// Where the last of a transaction's downloads ended, on a device or without one, and whether
    /// an install follows the finish of each; on all devices if the device is `nil`. `nil` if none
    /// finished.
    private func downloaded(
        _ transaction: TransactionHandle, _ device: DeviceHandle?
    ) -> (endedLine: LineNumber, isInstalled: Bool)? {
        let name = transaction.name.rawValue
        let all = ends[orEmpty: HandleKey(name, InstalledAfterDownload.everyDevice)]
        guard device != nil else {
            return all.finished == 0 ? nil : (all.ended, all.finished < all.installed)
        }
        let own = ends[orEmpty: HandleKey(name, UInt32(clamping: Facts.index(of: device)))]
        let unnamed = ends[orEmpty: HandleKey(name, 0)]
        guard own.finished != 0 || unnamed.finished != 0 else { return nil }
        let isInstalled =
            (own.finished == 0 || own.finished < max(own.installed, unnamed.installed))
            && (unnamed.finished == 0 || unnamed.finished < all.installed)
        return (max(own.ended, unnamed.ended), isInstalled)
    }

    private func find(_ suspect: Suspect, _ facts: Facts, _ report: inout Report) {
        let name = facts.name(suspect.transaction)
        if suspect.mayBeIncomplete, let reason = facts.incompleteReason {
            return report.cannotTell("no install for \(name) is seen before its finish; \(reason)")
        }
        report.find(
            at: suspect.line, facts, account: facts.owner(of: suspect.transaction),
            key: facts.text(suspect.transaction),
            "\(name) was finished, but its downloads were not installed: expected "
                + "delivery.installed before the finish",
            notes: facts.stated(suspect.transaction)
                + Finding.note(suspect.endedLine, "then the last of its downloads ended"),
            hint: "the system may purge what lies in the caches, and the account then lacks what "
                + "it paid for: look at where the files are moved")
    }
}
