import PurchaseEvents

/// Downloads are installed before the finish, if the log shows installs (G4.18).
///
/// An install names a transaction, not a download: an install counts if it follows the
/// transaction's last finished download. Before the log's first install, finishes without one are
/// kept, at 12 bytes each, and reported at that install.
struct InstalledAfterDownload: CatalogueRule {
    static let id = "installed-after-download"
    static let level = Level.warning
    static let statement =
        "Where the log shows installs, what was downloaded for a transaction is installed before "
        + "the transaction is finished."
    static let evidence = ["G4.18"]
    static let reads = EventTypes(.queueFinished, .deliveryInstalled)

    /// A finish of a transaction whose downloads were not installed.
    private struct Suspect {
        var transaction: TransactionID<Interned>
        var line: LineNumber
        var mayBeIncomplete: Bool
    }

    private var showsInstalls = false
    /// Before the first install: the number of tests, and the finishes that would be findings.
    private var tests = 0
    private var suspects: [Suspect] = []

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
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
            mayBeIncomplete: facts.incompleteReason != nil)
        if showsInstalls { find(suspect, facts, &report) } else { suspects.append(suspect) }
    }

    /// Whether an install follows the end of every finished download.
    private func isInstalled(_ transaction: TransactionID<Interned>, _ facts: Facts) -> Bool {
        let installed = facts[transaction].installedLine
        guard installed != 0 else { return false }
        let finished = facts.downloads(of: transaction).filter { $0.facts.state == .finished }
        return !finished.isEmpty && finished.allSatisfy { $0.facts.endedLine < installed }
    }

    private func find(_ suspect: Suspect, _ facts: Facts, _ report: inout Report) {
        let name = DeliveryPhrases.name(suspect.transaction, facts)
        if suspect.mayBeIncomplete, let reason = facts.incompleteReason {
            return report.cannotTell("no install for \(name) is seen before its finish; \(reason)")
        }
        let ended = facts.downloads(of: suspect.transaction).map(\.facts)
            .filter { $0.endedLine != 0 && $0.endedLine < suspect.line }
        let last = ended.map(\.endedLine).max() ?? 0
        report.find(
            at: suspect.line, facts, account: facts.owner(of: suspect.transaction),
            key: facts.text(suspect.transaction),
            "\(name) was finished, but its downloads were not installed: expected "
                + "delivery.installed before the finish",
            notes: DeliveryPhrases.stated(suspect.transaction, facts)
                + DeliveryPhrases.note(last, "then the last of its downloads ended"),
            hint: "the system may purge what lies in the caches, and the account then lacks what "
                + "it paid for: look at where the files are moved")
    }
}
