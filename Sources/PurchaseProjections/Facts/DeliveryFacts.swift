import PurchaseEvents

/// What the app did for a transaction (G4.7 to G4.19).
extension Facts {
    /// Takes in an act of the app that names a transaction.
    mutating func observeDelivery(_ event: Event<Interned>, _ line: LineNumber) {
        guard let transaction = event.fact.transaction else { return }
        let index = touch(transaction)
        if case .deliveryValidated(let validated) = event.fact {
            transactions[index].validation = validated.outcome
            transactions[index].validatedLine = line
        } else if case .deliveryPersisted(let persisted) = event.fact {
            transactions[index].persistedLine = line
            if persisted.store == .receipt { transactions[index].persistedInReceiptLine = line }
        } else if case .deliveryDownload(let download) = event.fact {
            observe(download, index, line)
        } else if case .deliveryInstalled = event.fact {
            transactions[index].installedLine = line
        } else if case .deliveryDelivered(let delivered) = event.fact {
            transactions[index].deliver(delivered, line)
        } else if case .deliveryWithdrawn = event.fact {
            transactions[index].withdrawnLine = line
            transactions[index].deliveredQuantity = 0
        }
    }

    private mutating func observe(
        _ download: DeliveryDownload<Interned>, _ index: Int, _ line: LineNumber
    ) {
        let key = DownloadKey(transaction: download.transaction, download: download.download)
        let before = downloads[key]
        downloads[key] = DownloadFacts(
            state: download.state, firstLine: before?.firstLine ?? line, line: line)
        let wasOpen = before.map { !$0.state.isTerminal } ?? false
        let isOpen = !download.state.isTerminal
        if isOpen, !wasOpen { transactions[index].openDownloads &+= 1 }
        if wasOpen, !isOpen { transactions[index].openDownloads &-= 1 }
        if download.state == .finished, before?.state != .finished {
            transactions[index].finishedDownloads &+= 1
        }
        if transactions[index].downloadLine == 0 { transactions[index].downloadLine = line }
        transactions[index].downloadedLine = line
    }
}

extension TransactionFacts {
    /// A delivery without a quantity gives all that is still to be delivered, at least one.
    fileprivate mutating func deliver(
        _ delivered: DeliveryDelivered<Interned>, _ line: LineNumber
    ) {
        let rest = quantity - deliveredQuantity
        let count = delivered.quantity ?? max(1, rest)
        deliveredQuantity = saturatingSum(deliveredQuantity, count)
        deliveredInAll = saturatingSum(deliveredInAll, count)
        if firstDeliveredLine == 0 { firstDeliveredLine = line }
        deliveredLine = line
        until = delivered.until ?? until
    }
}

/// The sum of two counts, the greatest count where it would be more.
func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
