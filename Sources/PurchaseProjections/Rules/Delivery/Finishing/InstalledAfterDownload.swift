import PurchaseEvents

/// Downloads are installed before the finish, if the log shows installs (G4.18).
///
/// An install names a transaction, not a download: an install counts if it follows the first finish
/// of each of the transaction's downloads on the device that finishes it, or on all devices if none
/// of them is that device's. An install that names no device counts for each. Before the log's first
/// install, finishes without one are kept, at 16 bytes each, and reported at that install.
struct InstalledAfterDownload: CatalogueRule {
    static let id = "installed-after-download"
    static let level = Level.warning
    static let statement =
        "Where the log shows installs, what was downloaded for a transaction is installed before "
        + "the transaction is finished."
    static let evidence = ["G4.18"]
    static let reads = EventTypes(.queueFinished, .deliveryInstalled, .deliveryDownload)

    /// A finish of a transaction whose downloads were not installed.
    private struct Suspect {
        var transaction: TransactionID<Interned>
        var line: LineNumber
        /// The line at which the last of its downloads ended.
        var endedLine: LineNumber
        var mayBeIncomplete: Bool
    }

    /// The latest lines at which a download of a transaction first ended and first finished, and
    /// the latest of an install.
    private struct Ends {
        var ended: LineNumber = 0, finished: LineNumber = 0, installed: LineNumber = 0
    }

    private var ends = HandleMap(Ends())
    private var endsOnDevices = DeviceEntries(Ends())
    private var showsInstalls = false
    /// Before the first install: the number of tests, and the finishes that would be findings.
    private var tests = 0
    private var suspects: [Suspect] = []

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if event.type == .deliveryDownload, case .deliveryDownload(let download) = event.fact {
            return end(download, event.device, line.number, facts)
        }
        if event.type == .deliveryInstalled {
            if let transaction = event.transaction {
                update(transaction, on: event.device) { $0.installed = line.number }
            }
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
        if showsInstalls { report.test() } else { tests += 1 }
        guard !isInstalled(transaction, on: event.device),
            !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let suspect = Suspect(
            transaction: transaction, line: line.number,
            endedLine: ends[orEmpty: HandleKey(transaction)].ended,
            mayBeIncomplete: facts.incompleteReason != nil)
        if showsInstalls { find(suspect, facts, &report) } else { suspects.append(suspect) }
    }

    private mutating func end(
        _ download: DeliveryDownload<Interned>, _ device: DeviceID<Interned>?,
        _ line: LineNumber, _ facts: Facts
    ) {
        guard download.state.isTerminal,
            facts.download(download.download, of: download.transaction, on: device)?.endedLine
                == line
        else { return }
        update(download.transaction, on: device) { ends in
            ends.ended = line
            if download.state == .finished { ends.finished = line }
        }
    }

    private mutating func update(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?,
        _ change: (inout Ends) -> Void
    ) {
        let key = HandleKey(transaction)
        change(&ends[orEmpty: key])
        var own = endsOnDevices.value(key, on: Facts.index(of: device)) ?? Ends()
        change(&own)
        endsOnDevices.replace(own, key, on: Facts.index(of: device))
    }

    /// Whether an install follows the finish of every download that finished.
    private func isInstalled(
        _ transaction: TransactionID<Interned>, on device: DeviceID<Interned>?
    ) -> Bool {
        let key = HandleKey(transaction)
        let all = ends[orEmpty: key]
        guard device != nil,
            let own = endsOnDevices.value(key, on: Facts.index(of: device)), own.finished != 0
        else { return all.finished != 0 && all.finished < all.installed }
        let unnamed = endsOnDevices.value(key, on: 0)?.installed ?? 0
        return own.finished < max(own.installed, unnamed)
    }

    private func find(_ suspect: Suspect, _ facts: Facts, _ report: inout Report) {
        let name = DeliveryPhrases.name(suspect.transaction, facts)
        if suspect.mayBeIncomplete, let reason = facts.incompleteReason {
            return report.cannotTell("no install for \(name) is seen before its finish; \(reason)")
        }
        report.find(
            at: suspect.line, facts, account: facts.owner(of: suspect.transaction),
            key: facts.text(suspect.transaction),
            "\(name) was finished, but its downloads were not installed: expected "
                + "delivery.installed before the finish",
            notes: DeliveryPhrases.stated(suspect.transaction, facts)
                + DeliveryPhrases.note(suspect.endedLine, "then the last of its downloads ended"),
            hint: "the system may purge what lies in the caches, and the account then lacks what "
                + "it paid for: look at where the files are moved")
    }
}
