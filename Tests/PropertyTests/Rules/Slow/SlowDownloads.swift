import PurchaseEvents
import PurchaseProjections

// Downloads before the finish (G4.7, G4.18); a line without a device is on every one.
extension SlowChecker {
    static let downloads: [(id: String, marks: Judge)] = [
        ("finished-implies-downloaded", { log in log.each(.error) { log.isDownloading($0) } }),
        ("installed-after-download", { log in log.each(.warning) { log.isUninstalled($0) } }),
    ]

    private func isDownloading(_ place: Int) -> Bool {
        guard let id = finishedOwed(place) else { return false }
        return downloads(of: id, before: place).contains { own in
            !own.contains(where: hasEnded)
        }
    }

    private func isUninstalled(_ place: Int) -> Bool {
        guard events.contains(where: { $0.type == .deliveryInstalled }),
            let id = finishedOwed(place)
        else { return false }
        return downloads(of: id, before: place).contains { own in
            // A download that was cancelled stays so.
            guard let ended = own.first(where: hasEnded), state(ended) == .finished else {
                return false
            }
            return !events[ended..<place].contains {
                // A finish without a device may be any device's.
                $0.type == .deliveryInstalled && $0.transaction == id
                    && (events[place].device == nil || isSame($0.device, events[ended].device))
            }
        }
    }

    /// The transaction that a line finishes, if something is owed for it.
    private func finishedOwed(_ place: Int) -> TransactionID<Written>? {
        guard let id = finished(place), !statements(of: id, upTo: place).isEmpty,
            isOwed(id, place)
        else { return nil }
        return id
    }

    /// The places of each download of a transaction on the device of a later place.
    private func downloads(of id: TransactionID<Written>, before place: Int) -> [[Int]] {
        let own = places(before: place) {
            $0.type == .deliveryDownload && $0.transaction == id
                && isSame($0.device, events[place].device)
        }
        return own.map { first in
            own.filter {
                download($0) == download(first) && events[$0].device == events[first].device
            }
        }
    }

    private func download(_ place: Int) -> DownloadID<Written>? {
        guard case .deliveryDownload(let said) = events[place].fact else { return nil }
        return said.download
    }

    private func hasEnded(_ place: Int) -> Bool {
        [.finished, .cancelled].contains(state(place))
    }

    private func state(_ place: Int) -> DownloadState? {
        guard case .deliveryDownload(let said) = events[place].fact else { return nil }
        return said.state
    }

    private func isSame(_ one: DeviceID<Written>?, _ other: DeviceID<Written>?) -> Bool {
        one == nil || other == nil || one == other
    }
}
