import PurchaseEvents

/// What the app did for a transaction (G4.7 to G4.19).
extension Facts {
    /// Takes in an act of the app that names a transaction.
    mutating func observeDelivery(_ event: Event<Interned>, _ line: LineNumber) {
        guard let transaction = event.transaction else { return }
        let index = touch(transaction)
        if event.type == .deliveryValidated, case .deliveryValidated(let validated) = event.fact {
            transactions[index].validation = validated.outcome
            transactions[index].validatedLine = line
            if validated.outcome == .valid { transactions[index].validLine = line }
        } else if event.type == .deliveryPersisted,
            case .deliveryPersisted(let persisted) = event.fact
        {
            transactions[index].persistedLine = line
            if persisted.store == .receipt { transactions[index].persistedInReceiptLine = line }
        } else if event.type == .deliveryDownload, case .deliveryDownload(let download) = event.fact
        {
            observe(download, index, line)
        } else if event.type == .deliveryInstalled {
            transactions[index].installedLine = line
        } else if event.type == .deliveryDelivered,
            case .deliveryDelivered(let delivered) = event.fact
        {
            transactions[index].deliver(delivered, line)
        } else if event.type == .deliveryWithdrawn {
            transactions[index].withdrawnLine = line
            transactions[index].withdrawnQuantity = transactions[index].deliveredQuantity
            transactions[index].forgetDelivered()
        }
    }

    private mutating func observe(
        _ download: DeliveryDownload<Interned>, _ index: Int, _ line: LineNumber
    ) {
        let key = HandleKey(download.download, of: download.transaction)
        let place = downloads[key]
        let before = place.map { downloadFacts[Int($0) - 1] }
        let hadEnded = before.map { $0.endedLine != 0 } ?? false
        let ends = download.state.isTerminal && !hadEnded
        let known = DownloadFacts(
            state: download.state, stateBefore: before?.state, lineBefore: before?.line ?? 0,
            firstLine: before?.firstLine ?? line, line: line,
            endedLine: ends ? line : before?.endedLine ?? 0,
            previous: before.map(\.previous) ?? transactions[index].lastDownload)
        if let place {
            downloadFacts[Int(place) - 1] = known
        } else {
            downloadFacts.append(known)
            downloads[key] = UInt32(downloadFacts.count)
        }
        if before == nil { transactions[index].lastDownload = download.download }
        // One that has ended stays so, whatever is said of it later.
        if before == nil, !ends { transactions[index].openDownloads &+= 1 }
        if before != nil, ends { transactions[index].openDownloads &-= 1 }
        if ends, download.state == .finished { transactions[index].finishedDownloads &+= 1 }
        if transactions[index].downloadLine == 0 { transactions[index].downloadLine = line }
        transactions[index].downloadedLine = line
    }
}

extension TransactionFacts {
    /// Notes a delivery.
    fileprivate mutating func deliver(
        _ delivered: DeliveryDelivered<Interned>, _ line: LineNumber
    ) {
        deliveredBefore = deliveredQuantity
        addDelivered(delivered.quantity)
        deliveredInAll = saturatingSum(deliveredInAll, deliveredQuantity - deliveredBefore)
        if firstDeliveredLine == 0 { firstDeliveredLine = line }
        deliveredEarlierLine = deliveredLine
        deliveredLine = line
        until = delivered.until ?? until
    }

    /// How many were delivered since it was last withdrawn; saturates.
    ///
    /// A delivery of all the rest reaches whatever quantity the statements say, also one that
    /// becomes known later.
    public var deliveredQuantity: Int64 {
        guard isRestDelivered else { return deliveredParts }
        let rest = max(saturatingSum(deliveredParts, 1), quantity)
        return saturatingSum(rest, deliveredBeyond)
    }

    /// Adds a delivery; without a quantity it is of all the rest, at least one.
    private mutating func addDelivered(_ quantity: Int64?) {
        if isRestDelivered {
            deliveredBeyond = saturatingSum(deliveredBeyond, quantity ?? 1)
        } else if let quantity {
            deliveredParts = saturatingSum(deliveredParts, quantity)
        } else {
            isRestDelivered = true
        }
    }

    /// What was delivered is withdrawn: a new delivery begins anew.
    fileprivate mutating func forgetDelivered() {
        (deliveredParts, deliveredBeyond, isRestDelivered) = (0, 0, false)
    }
}

extension Facts {
    /// The downloads of a transaction, the one that became known last first. Costs their number.
    public func downloads(
        of transaction: TransactionID<Interned>
    ) -> [(id: DownloadID<Interned>, facts: DownloadFacts)] {
        var all: [(id: DownloadID<Interned>, facts: DownloadFacts)] = []
        var next = self[transaction].lastDownload
        while let id = next, let facts = download(id, of: transaction) {
            all.append((id, facts))
            next = facts.previous
        }
        return all
    }
}

/// The sum of two counts, the greatest count where it would be more.
func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
