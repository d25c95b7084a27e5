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
    static let reads = EventTypes(.queueFinished)

    /// The numbers of downloads that a finding names, and that it is looked for them among.
    private static let (namedDownloads, readDownloads) = (8, 128)

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        guard let transaction = Finishing.transaction(of: event, facts),
            facts[transaction].downloadLine != 0
        else { return }
        report.test()
        guard facts[transaction].openDownloads > 0, !Finishing.isRepeated(transaction, facts),
            !Finishing.owesNothing(transaction, at: event, facts)
        else { return }
        let name = DeliveryPhrases.name(transaction, facts)
        let downloads = FinishedImpliesDownloaded.openDownloads(of: transaction, facts)
        let firstSaid = downloads.first?.facts.line ?? facts[transaction].downloadLine
        if let reason = facts.incompleteReason(after: firstSaid) {
            return report.cannotTell("the log doesn't show a download of \(name) end; \(reason)")
        }
        let states = downloads.map { id, download in
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

    /// The open ones among the latest downloads of a transaction, by their latest lines; as many as
    /// a finding names.
    private static func openDownloads(
        of transaction: TransactionID<Interned>, _ facts: Facts
    ) -> [(id: DownloadID<Interned>, facts: DownloadFacts)] {
        var open: [(id: DownloadID<Interned>, facts: DownloadFacts)] = []
        var next = facts[transaction].lastDownload
        for _ in 0..<readDownloads {
            guard let id = next, let known = facts.download(id, of: transaction) else { break }
            if known.endedLine == 0 { open.append((id, known)) }
            next = known.previous
        }
        return Array(open.sorted { $0.facts.line < $1.facts.line }.prefix(namedDownloads))
    }
}
