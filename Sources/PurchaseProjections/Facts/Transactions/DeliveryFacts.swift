import PurchaseEvents

/// The app's actions for each transaction (G4.7 to G4.19).
extension Facts {
    mutating func observeDelivery(_ event: LogEvent, _ line: LineNumber) {
        guard let transaction = event.transaction else { return }
        let index = touch(transaction)
        if event.type == .deliveryValidated, case .deliveryValidated(let validated) = event.fact {
            transactions[index].validate(validated.outcome, line)
        } else if event.type == .deliveryPersisted,
            case .deliveryPersisted(let persisted) = event.fact
        {
            transactions[index].persist(inReceipt: persisted.store == .receipt, line)
        } else if event.type == .deliveryDownload, case .deliveryDownload(let download) = event.fact
        {
            observe(download, index, Facts.index(of: event.device), line)
        } else if event.type == .deliveryInstalled {
            transactions[index].rare.installedLine = line
        } else if event.type == .deliveryDelivered,
            case .deliveryDelivered(let delivered) = event.fact
        {
            transactions[index].deliver(delivered, line)
        } else if event.type == .deliveryWithdrawn,
            case .deliveryWithdrawn(let withdrawn) = event.fact
        {
            transactions[index].withdraw(withdrawn.quantity, at: event.at, line)
        }
    }

    private mutating func observe(
        _ download: DeliveryDownload<Interned>, _ index: Int, _ device: Int, _ line: LineNumber
    ) {
        let place = downloadPlace(download.download, download.transaction, device)
        let before = place.map { downloadFacts[$0] }
        let hadEnded = before.map { $0.endedLine != 0 } ?? false
        let ends = download.state.isTerminal && !hadEnded
        let last = transactions[index].lastDownload
        let known = DownloadFacts(
            state: download.state, stateBefore: before?.state, lineBefore: before?.line ?? 0,
            firstLine: before?.firstLine ?? line, line: line,
            endedLine: ends ? line : before?.endedLine ?? 0, id: download.download,
            device: UInt32(device), previous: before?.previous ?? last)
        if let place {
            downloadFacts[place] = known
        } else {
            if last != 0, downloadFacts[Int(last) - 1].device != known.device {
                transactions[index].rare.isDownloadedBySeveral = true
            }
            downloadFacts.append(known)
            transactions[index].rare.lastDownload = UInt32(downloadFacts.count)
            list(download, device)
        }
        transactions[index].rare.observe(download, before, ends: ends, line)
    }

    /// Lists the newest download under its name.
    private mutating func list(_ download: DeliveryDownload<Interned>, _ device: Int) {
        let key = HandleKey(download.download, of: download.transaction)
        if record.pointee.downloads[key] == nil {
            record.pointee.downloads[key] = UInt32(downloadFacts.count)
        } else {
            let key = DeviceDownload(
                download: download.download, transaction: download.transaction,
                device: UInt32(device))
            record.pointee.otherDownloads[key] = UInt32(downloadFacts.count - 1)
        }
    }
}

extension RareFacts {
    /// Updates the download counts from the states before and after the event.
    fileprivate mutating func observe(
        _ download: DeliveryDownload<Interned>, _ before: DownloadFacts?, ends: Bool,
        _ line: LineNumber
    ) {
        // A download that ended stays ended, whatever later events say.
        if before == nil, !ends { openDownloads &+= 1 }
        if before != nil, ends { openDownloads &-= 1 }
        if ends, download.state == .finished { finishedDownloads &+= 1 }
        if downloadLine == 0 { downloadLine = line }
        downloadedLine = line
    }
}

extension Facts {
    /// A transaction's downloads, most recently discovered first.
    ///
    /// Cost: linear in the number of downloads.
    public func downloads(
        of transaction: TransactionHandle
    ) -> [(id: DownloadHandle, facts: DownloadFacts)] {
        var all: [(id: DownloadHandle, facts: DownloadFacts)] = []
        var next = self[transaction].lastDownload
        while next != 0 {
            let facts = downloadFacts[Int(next) - 1]
            all.append((facts.id, facts))
            next = facts.previous
        }
        return all
    }

    /// Whether the receipt already grants the product that a transaction restores, with no download
    /// needed (G8.4).
    func receiptGrants(_ transaction: TransactionHandle) -> Bool {
        let known = self[transaction]
        guard known.downloadLine == 0 else { return false }
        if let product = known.product, self[product].hosted == true { return false }
        let original = self[self.original(of: transaction)]
        return known.listedLine != 0 || original.listedLine != 0
            || known.persistedInReceiptLine != 0 || original.persistedInReceiptLine != 0
    }
}
