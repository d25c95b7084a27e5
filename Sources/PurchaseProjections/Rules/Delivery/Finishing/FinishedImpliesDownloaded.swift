import PurchaseEvents

/// A transaction is finished only after all its downloads have ended (G4.7, G4.9, I1).
///
/// A failed download has not ended: it starts again or is cancelled. A finish ends the downloads of
/// its own device. The exceptions are those of ``FinishedImpliesDelivered``.
struct FinishedImpliesDownloaded: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A transaction that the App Store stated is finished only when every download of it has "
        + "finished or was cancelled, with the exceptions of finished-implies-delivered."
    static let evidence = ["G4.7", "G4.9", "I1"]
    static let reads = EventTypes(.queueFinished)

    /// The numbers of downloads that a finding names, and that it is looked for them among.
    private static let (namedDownloads, readDownloads) = (8, 128)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard let transaction = Finishing.transaction(of: event, facts),
            facts[transaction].downloadLine != 0
        else { return }
        report.test()
        let open = FinishedImpliesDownloaded.openCount(of: transaction, at: event, facts)
        guard open > 0, !Finishing.losesNothing(transaction, at: event, facts)
        else { return }
        let name = facts.name(transaction)
        if let reason = facts.incompleteReason {
            return report.cannotTell("the log doesn't show a download of \(name) end; \(reason)")
        }
        let downloads = FinishedImpliesDownloaded.openDownloads(
            of: transaction, at: event, facts
        ).prefix(FinishedImpliesDownloaded.namedDownloads)
        let states = downloads.flatMap { id, download in
            Finding.note(
                download.line,
                "then its download \(facts.names.text(of: id)) was "
                    + "\(download.state.rawValue), and the log says nothing of it since")
        }
        report.find(
            event, on: line, facts, account: facts.account(event, transaction),
            key: facts.text(transaction),
            "\(name) was finished while \(open) of its downloads had "
                + "not ended: expected each to be finished or cancelled before the finish",
            notes: facts.stated(transaction) + states,
            hint: "the downloads of a finished transaction can't be used any more, so the account "
                + "lacks content that it paid for: restore the purchase to download it again")
    }

    /// The number of open downloads that a finish ends: those of its device and those without one.
    private static func openCount(
        of transaction: TransactionHandle, at event: LogEvent, _ facts: Facts
    ) -> Int {
        let all = Int(facts[transaction].openDownloads)
        guard all > 0 else { return 0 }
        if facts[transaction].isDownloadedBySeveral {
            return openDownloads(of: transaction, at: event, facts).count
        }
        let last = Int(facts[transaction].lastDownload)
        return last != 0 && isOwn(facts.downloadFacts[last - 1], at: event) ? all : 0
    }

    /// Whether a finish ends a download: it is of the finish's device, or one of them names none.
    private static func isOwn(_ download: DownloadFacts, at event: LogEvent) -> Bool {
        let device = Facts.index(of: event.device)
        return device == 0 || download.device == 0 || Int(download.device) == device
    }

    /// The open ones among the latest downloads of a transaction that a finish ends, by their
    /// latest lines.
    private static func openDownloads(
        of transaction: TransactionHandle, at event: LogEvent, _ facts: Facts
    ) -> [(id: DownloadHandle, facts: DownloadFacts)] {
        var open: [(id: DownloadHandle, facts: DownloadFacts)] = []
        var next = facts[transaction].lastDownload
        for _ in 0..<readDownloads where next != 0 {
            let known = facts.downloadFacts[Int(next) - 1]
            if known.endedLine == 0, isOwn(known, at: event) { open.append((known.id, known)) }
            next = known.previous
        }
        return open.sorted { $0.facts.line < $1.facts.line }
    }
}
