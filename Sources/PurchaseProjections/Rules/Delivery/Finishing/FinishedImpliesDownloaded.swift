import PurchaseEvents

/// A transaction is finished only after all its downloads have ended (G4.7, G4.9, I1).
///
/// A failed download has not ended: it starts again or is cancelled. The exceptions are those of
/// ``FinishedImpliesDelivered``.
struct FinishedImpliesDownloaded: CatalogueRule {
    static let id = "finished-implies-downloaded"
    static let level = Level.error
    static let statement =
        "A purchased or restored transaction is finished only when every download of it has "
        + "finished or was cancelled, with the exceptions of finished-implies-delivered."
    static let evidence = ["G4.7", "G4.9", "I1"]
    static let reads = EventTypes(.queueFinished, .deliveryDownload)

    /// The number of downloads that a finding names.
    private static let namedDownloads = 8

    /// The downloads of each transaction that had not ended when the list was last read, in the
    /// order in which they began.
    private var open: [TransactionID<Interned>: [DownloadID<Interned>]] = [:]

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if case .deliveryDownload(let download) = event.fact {
            return note(download, line.number, facts)
        }
        guard let transaction = Finishing.transaction(of: event, facts),
            facts[transaction].downloadLine != 0
        else { return }
        report.test()
        guard facts[transaction].openDownloads > 0, !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        let downloads = namedDownloads(of: transaction, facts)
        let firstSaid = downloads.map(\.facts.line).min() ?? 0
        if let reason = facts.incompleteReason(after: firstSaid) {
            return report.cannotTell("the log doesn't show a download of \(name) end; \(reason)")
        }
        let states = downloads.sorted { $0.facts.line < $1.facts.line }.map { id, download in
            Finding.Note(
                line: download.line,
                message: "then its download \(facts.names.text(of: id)) was "
                    + "\(download.state.rawValue), and the log says nothing of it since")
        }
        report.find(
            event, on: line, facts,
            account: DeliveryPhrases.account(event, transaction, facts),
            key: facts.text(transaction),
            "\(name) was finished while \(facts[transaction].openDownloads) of its downloads had "
                + "not ended: expected each to be finished or cancelled before the finish",
            notes: DeliveryPhrases.stated(transaction, facts) + states,
            hint: "the downloads of a finished transaction can't be used any more, so the account "
                + "lacks content that it paid for: restore the purchase to download it again")
    }

    /// Records that a download begins or ends.
    private mutating func note(
        _ download: DeliveryDownload<Interned>, _ line: LineNumber, _ facts: Facts
    ) {
        guard let known = facts.download(download.download, of: download.transaction) else {
            return
        }
        if known.firstLine == line, known.endedLine == 0 {
            open[download.transaction, default: []].append(download.download)
        } else if known.endedLine == line, open[download.transaction]?.count == 1 {
            open[download.transaction] = nil
        }
    }

    /// The first open downloads of a transaction, as many as a finding names.
    ///
    /// Drops the ended ones before them from the list.
    private mutating func namedDownloads(
        of transaction: TransactionID<Interned>, _ facts: Facts
    ) -> [(id: DownloadID<Interned>, facts: DownloadFacts)] {
        var named: [(id: DownloadID<Interned>, facts: DownloadFacts)] = []
        var read = 0
        for download in open[transaction] ?? [] {
            if named.count == FinishedImpliesDownloaded.namedDownloads { break }
            read += 1
            if let known = facts.download(download, of: transaction), known.endedLine == 0 {
                named.append((download, known))
            }
        }
        if read > named.count {
            open[transaction]?.replaceSubrange(0..<read, with: named.map(\.id))
        }
        return named
    }
}
