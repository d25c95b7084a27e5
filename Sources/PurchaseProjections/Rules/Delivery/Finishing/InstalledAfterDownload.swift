import PurchaseEvents

/// Downloads are installed before the finish, if the log shows installs (G4.18).
///
/// An install names a transaction, not a download: an install counts if it follows the first finish
/// of each of the transaction's downloads. Before the log's first install, finishes without one are
/// kept, at 16 bytes each, and reported at that install.
struct InstalledAfterDownload: CatalogueRule {
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

    /// The latest lines at which a download of a transaction first ended, and first finished.
    private struct Ends {
        var ended: LineNumber = 0, finished: LineNumber = 0
    }

    private var ends = HandleMap(Ends())
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
        guard !isInstalled(transaction, facts), !Finishing.isRepeated(transaction, facts),
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
        let key = HandleKey(download.transaction)
        ends[orEmpty: key].ended = line
        if download.state == .finished { ends[orEmpty: key].finished = line }
    }

    /// Whether an install follows the finish of every download that finished.
    private func isInstalled(_ transaction: TransactionID<Interned>, _ facts: Facts) -> Bool {
        let finished = ends[orEmpty: HandleKey(transaction)].finished
        return finished != 0 && finished < facts[transaction].installedLine
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
