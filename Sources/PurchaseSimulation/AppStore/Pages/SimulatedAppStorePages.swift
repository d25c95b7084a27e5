extension SimulatedAppStore {
    /// The pages about all customers that the App Store Server API would answer at the end.
    ///
    /// Each customer's pages stand under the customer's first original transaction: the history, 20
    /// transactions a page, the statuses of all subscriptions, and the refunds if there are any.
    public var pages: [StorePage] { customers.indices.flatMap { pages(ofCustomer: $0) } }

    /// The pages of the notification history, 20 notifications a page.
    public var notificationPages: [StorePage] {
        (0..<notificationPageCount).map { notificationPage($0) }
    }

    /// The number of customers.
    package var customerCount: Int { customers.count }

    /// The pages about a customer, from 0.
    package func pages(ofCustomer place: Int) -> [StorePage] {
        StorePages(history: history, sign: sign).pages(of: customers[place])
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
