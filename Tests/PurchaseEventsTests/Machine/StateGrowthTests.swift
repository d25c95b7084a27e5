import PurchaseEvents
import TestSupport
import Testing

/// A state takes each event at the same cost, however long the history of one thing is.
@Suite(.serialized) struct StateGrowthTests {
    /// A history of one line or one transaction, by the number of the event.
    enum Shape: String, CaseIterable {
        case graces, expiries, extensions, extensionsBackwards, openDownloads, openPurchases

        func fact(_ number: Int) -> Fact<Written> {
            let time = Timestamp(milliseconds: Int64(number) * 1_000)
            switch self {
            case .graces:
                return .renewalFailed(
                    RenewalFailed(original: "1", product: nil, graceExpiresAt: time))
            case .expiries:
                return .renewalExpired(
                    RenewalExpired(original: "1", expiresAt: time, reason: .billing))
            case .extensions, .extensionsBackwards:
                return .renewalExtended(RenewalExtended(original: "1", expiresAt: time))
            case .openPurchases:
                // Many purchases of one payment wait; finishes name some of them, or the payment.
                switch number % 4 {
                case 0: return .queueFinished(entry: .payment("p"))
                case 1 where number > 600:
                    return .queueFinished(entry: .transaction(TransactionID("\(number - 600)")))
                default:
                    return .queuePurchased(
                        QueuePurchased(
                            transaction: TransactionID("\(number)"), payment: "p", product: "p",
                            purchasedAt: time))
                }
            case .openDownloads:
                switch number % 4 {
                case 0:
                    return .deliveryDownload(
                        DeliveryDownload(
                            transaction: "1", download: DownloadID("\(number)"), state: .active))
                case 1: return .appLaunched
                case 2:
                    return .queuePurchased(
                        QueuePurchased(transaction: "1", product: "p", purchasedAt: time))
                default: return .queueFinished(entry: .transaction("1"))
                }
            }
        }

        func event(_ number: Int) -> Event<Written> {
            let time = Int64(self == .extensionsBackwards ? 1_000_000 - number : number)
            return Event(
                seq: Int64(number + 1), at: Timestamp(milliseconds: time * 1_000), fact(number))
        }
    }

    @Test(arguments: Shape.allCases)
    func `sixteen times the events take less than 32 times as long`(_ shape: Shape) {
        func time(_ count: Int) -> Double {
            let events = (0..<count).map { shape.event($0) }
            let times = (0..<3).map { _ in
                threadTime {
                    var state = PurchaseState<Written>()
                    for event in events { state.evolve(event) }
                }
            }
            return times.sorted()[1]
        }
        let (short, long) = (time(500), time(8_000))
        #expect(long < short * 32, "\(short), then \(long)")
    }
}
