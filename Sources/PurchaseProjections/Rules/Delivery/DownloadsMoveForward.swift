import PurchaseEvents

/// A download that has ended does not change again (G4.16).
///
/// A failed download starts again or is cancelled. The other states may follow in any order, and a
/// repeated state reports progress.
struct DownloadsMoveForward: CatalogueRule {
    static let level = Level.error
    static let statement =
        "A download that is finished or cancelled never changes again; a failed one starts again "
        + "or is cancelled; the other states may follow each other."
    static let evidence = ["G4.16"]
    static let reads = EventTypes(.deliveryDownload)

    mutating func observe(_ event: LogEvent, on line: Line, facts: Facts, report: inout Report) {
        guard case .deliveryDownload(let payload) = event.fact else { return }
        report.test()
        guard
            let known = facts.download(payload.download, of: payload.transaction, on: event.device),
            let before = known.stateBefore, before != payload.state,
            let expected = DownloadsMoveForward.expected(payload.state, after: before)
        else { return }
        let name =
            "download \(facts.names.text(of: payload.download)) of "
            + facts.name(payload.transaction)
        if before == .failed, let reason = facts.incompleteReason(after: known.lineBefore) {
            return report.cannotTell("the log doesn't show \(name) start again; \(reason)")
        }
        let account = facts.account(event, payload.transaction)
        report.find(
            event, on: line, facts, account: account, key: facts.text(payload.transaction),
            "\(name) is \(payload.state.rawValue) after it was \(before.rawValue): expected "
                + expected,
            notes: facts.stated(payload.transaction)
                + Finding.note(
                    known.lineBefore,
                    "let \(name)\(facts.ownerSuffix(account)) be \(before.rawValue)"),
            hint: "the account may lack content that the app takes for complete: look at whether "
                + "two downloads share an identifier")
    }

    /// The expected state, for a message; `nil` if the new state may follow the old one.
    private static func expected(_ state: DownloadState, after before: DownloadState) -> String? {
        switch before {
        case .finished, .cancelled: return "it not to change again"
        case .waiting, .active, .paused: return nil
        case .failed:
            switch state {
            case .waiting, .active, .failed, .cancelled: return nil
            case .paused, .finished: return "it to start again or to be cancelled"
            }
        }
    }
}
