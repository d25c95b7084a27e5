import PurchaseEvents

/// A file with a page as the App Store Server API answers.
public struct StorePage: Hashable, Sendable {
    /// The path in the folder of the simulated store.
    public let path: String
    /// The answer, one line of JSON.
    public let json: String
}

/// The pages about customers, as of the end of a history.
struct StorePages {
    static let length = 20

    let history: StoreHistory
    let sign: StoreSigner

    /// The pages about one customer: the history, the statuses, and the refunds if there are any.
    func pages(of customer: StoreCustomer) -> [StorePage] {
        let transactions = customer.transactions.compactMap { history.transactions[$0] }
        var pages = listing(transactions, of: customer, "history") { "\($0).\($1 + 1).json" }
        let subscriptions = customer.subscriptions.compactMap { history.subscriptions[$0] }
        if !subscriptions.isEmpty {
            pages.append(
                StorePage(
                    path: "status/\(customer.original).json",
                    json: statuses(subscriptions, of: customer)))
        }
        let refunded = transactions.filter { $0.cancellation.map { $0.revocation == nil } ?? false }
        pages += listing(refunded, of: customer, "refunds") { original, page in
            page == 0 ? "\(original).json" : "\(original).\(page + 1).json"
        }
        return pages
    }

    private func listing(
        _ transactions: [StoreTransaction], of customer: StoreCustomer, _ folder: String,
        _ name: (String, Int) -> String
    ) -> [StorePage] {
        let starts = Array(stride(from: 0, to: transactions.count, by: StorePages.length))
        return starts.enumerated().map { number, start in
            let slice = transactions[start..<min(start + StorePages.length, transactions.count)]
            var json = JSONText()
            json.add("revision", "\(customer.original)-\(start + slice.count)")
            json.add("hasMore", number + 1 < starts.count)
            if folder == "history" { addApp(of: customer, to: &json) }
            json.add(
                "signedTransactions",
                list: slice.map { JSONText.string(sign($0.payload(signedAt: history.end))) })
            return StorePage(path: "\(folder)/\(name(customer.original, number))", json: json.text)
        }
    }

    /// The answer with the statuses of all subscriptions, by group.
    private func statuses(_ subscriptions: [StoreSubscription], of customer: StoreCustomer)
        -> String
    {
        var groups: [(name: String?, items: [String])] = []
        for subscription in subscriptions {
            guard let current = history.transactions[subscription.current] else { continue }
            var item = JSONText()
            item.add("originalTransactionId", subscription.original)
            item.add("status", subscription.status(current, at: history.end))
            item.add("signedTransactionInfo", sign(current.payload(signedAt: history.end)))
            item.add(
                "signedRenewalInfo", sign(subscription.payload(current, signedAt: history.end)))
            if let place = groups.firstIndex(where: { $0.name == subscription.group }) {
                groups[place].items.append(item.text)
            } else {
                groups.append((subscription.group, [item.text]))
            }
        }
        var json = JSONText()
        addApp(of: customer, to: &json)
        json.add(
            "data",
            list: groups.map { group in
                var data = JSONText()
                data.add("subscriptionGroupIdentifier", group.name)
                data.add("lastTransactions", list: group.items)
                return data.text
            })
        return json.text
    }

    private func addApp(of customer: StoreCustomer, to json: inout JSONText) {
        json.add("environment", StoreApp.word(customer.environment))
        if customer.environment == .production { json.add("appAppleId", StoreApp.number) }
        json.add("bundleId", StoreApp.bundle)
    }

    /// A page of the notification history.
    ///
    /// - Parameters:
    ///   - number: The number of the page, from 0.
    ///   - items: The bodies' payloads and the attempts to send them.
    ///   - hasMore: Whether another page follows.
    static func notificationHistory(
        _ number: Int, _ items: [(signedPayload: String, attempts: [StoreAttempt])], hasMore: Bool
    ) -> StorePage {
        var json = JSONText()
        if hasMore { json.add("paginationToken", "page-\(number + 2)") }
        json.add("hasMore", hasMore)
        json.add(
            "notificationHistory",
            list: items.map { signedPayload, attempts in
                var item = JSONText()
                item.add("signedPayload", signedPayload)
                item.add(
                    "sendAttempts",
                    list: attempts.map { attempt in
                        var json = JSONText()
                        json.add("attemptDate", attempt.at)
                        json.add("sendAttemptResult", attempt.result)
                        return json.text
                    })
                return item.text
            })
        return StorePage(path: "notification-history.\(number + 1).json", json: json.text)
    }
}
