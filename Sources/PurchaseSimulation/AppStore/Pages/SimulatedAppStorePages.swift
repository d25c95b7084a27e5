import PurchaseEvents

extension SimulatedAppStore {
    /// The pages about customers that the App Store Server API would answer at the end.
    ///
    /// Each customer's pages stand under the customer's first original transaction: the history, 20
    /// transactions a page, the statuses of all subscriptions, and the refunds if there are any.
    public func pages(threads: Int = 1) -> [StorePage] {
        let pages = StorePages(history: history, sign: sign)
        let customers = history.customers
        return concurrentMap(customers.count, threads: threads) { pages.pages(of: customers[$0]) }
            .flatMap(\.self)
    }

    /// The number of pages of the notification history.
    package var notificationPageCount: Int {
        (notifications.count + StorePages.length - 1) / StorePages.length
    }

    /// A page of the notification history, from 0.
    package func notificationPage(_ number: Int) -> StorePage {
        let start = number * StorePages.length
        let places = start..<min(start + StorePages.length, notifications.count)
        return StorePages.notificationHistory(
            number, places.map { (notifications[$0].signedPayload(sign), attempts[$0]) },
            hasMore: places.upperBound < notifications.count)
    }
}
