import PurchaseEvents
@testable import PurchaseRecorder
import PurchaseSimulation

/// A simulated App Store for one device with one Apple ID and two accounts of the app, which drives
/// the queue through the recorder's protocols.
///
/// The store outlives the app's process, and reaches the app through the ``ShopQueue`` of the
/// current process.
final class ShopStore {
    let choices: any ChoiceSource
    let clock: TestClock
    private(set) var entries: [StoreEntry] = []
    private(set) var purchases: [StorePurchase] = []
    /// Statements that the app's server has received and the app hasn't.
    private(set) var statements: [Statement] = []
    /// The account whose restore is in progress in this process, and the entries still to present.
    private var restore: (account: String?, entries: [StoreEntry])?
    private var names = 0, statementCount = 0, entryCount = 0
    var mayPay = true

    struct Statement {
        var id: String, account: String?, signedAt: Timestamp
        var fact: Fact<Written>
    }

    init(_ choices: any ChoiceSource, _ clock: TestClock) {
        (self.choices, self.clock) = (choices, clock)
    }

    private func name() -> String {
        names += 1
        // Identifiers don't sort by time.
        return "\(2_000_000 + names * 7_919 % 10_007)"
    }

    private func newEntry(_ product: String, _ quantity: Int, _ account: String?) -> StoreEntry {
        entryCount += 1
        return StoreEntry(entryCount, product, quantity, account)
    }

    /// The entries in the queue.
    var held: [StoreEntry] { entries.filter { !$0.isFinished } }

    /// Whether the app may end now. It may not if a third launch would then present an entry, or a
    /// request would wait for a second launch.
    var mayEnd: Bool {
        held.allSatisfy { entry in
            entry.isDeferred || entry.presentations < (entry.isPurchasing ? 1 : 2)
        }
    }

    /// Whether anything is in progress.
    var isBusy: Bool {
        restore != nil || !statements.isEmpty || !held.allSatisfy(\.isDeferred)
    }

    /// Whether the app may end during its launch. A launch without a presentation must not come
    /// between a payment and its answer.
    var mayEndAtLaunch: Bool { mayEnd && held.allSatisfy(\.isHeard) }

    /// Marks every presented entry as recorded, because the app still runs.
    func markHeard() {
        for entry in held where !entry.isPurchasing && !entry.waitsForLaunch {
            entry.isHeard = true
        }
    }

    // MARK: The queue

    func add(_ product: String, _ quantity: Int, _ account: String?) {
        entries.append(newEntry(product, quantity, account))
    }

    /// The user buys in the App Store: the queue presents the payment at once.
    func promote(_ product: String, _ account: String?, _ queue: ShopQueue) {
        let entry = newEntry(product, 1, account)
        entry.isPromoted = true
        entry.presentations = 1
        entries.append(entry)
        queue.show([entry])
    }

    func beginRestore(_ account: String?) {
        // A restore creates a new transaction for each lasting purchase (G8.3).
        let lasting = purchases.filter { purchase in
            purchase.account == account && !purchase.isRefunded && purchase.original == nil
                && ["theme", "birds", "monthly"].contains { purchase.product.hasSuffix($0) }
        }
        restore = (
            account,
            lasting.map { purchase in
                let entry = newEntry(purchase.product, purchase.quantity, account)
                (entry.state, entry.transaction) = (.restored, name())
                (entry.date, entry.original) = (clock.now, purchase)
                if purchase.product.hasSuffix("birds") { entry.downloads = [.waiting, .waiting] }
                return entry
            }
        )
    }

    /// The app's process ended, so nobody learns of the end of its restore.
    func endProcess() { restore = nil }

    // MARK: Events

    /// A launch: answers the payments in progress, then presents all entries.
    func present(_ queue: ShopQueue) {
        for entry in held where entry.isPurchasing { answer(entry, queue) }
        for entry in held {
            entry.waitsForLaunch = false
            entry.presentations += 1
        }
        if held.contains(where: { $0.presentations > 1 && $0.isAtItsEnd }) { queue.fuse.arm(nil) }
        queue.show(held)
    }

    /// Performs one random action while the app runs.
    func act(_ queue: ShopQueue) {
        switch choices.index(weightedBy: [10, 3, 6, 6, 3, 2, 2]) {
        case 0: answerOne(queue)
        case 1: decide(queue)
        case 2: download(queue)
        case 3: continueRestore(queue)
        case 4: refund()
        case 5: queue.removeFinished()
        default: if choices.happens(oncePer: 4) { mayPay.toggle() }
        }
        renew()
    }

    /// Advances something that is in progress.
    func finishSomething(_ queue: ShopQueue) {
        answerOne(queue)
        download(queue)
        continueRestore(queue)
        showWaiting(queue)
    }

    /// Presents entries that would otherwise wait for the next launch.
    private func showWaiting(_ queue: ShopQueue) {
        for entry in held where entry.waitsForLaunch {
            entry.waitsForLaunch = false
            entry.presentations = 1
            queue.show([entry])
        }
    }

    private func answerOne(_ queue: ShopQueue) {
        guard let entry = held.first(where: { $0.isPurchasing }) else { return }
        if entry.presentations == 0 {
            queue.show([entry])
            entry.presentations = 1
            if choices.happens(oncePer: 3) { return }
        }
        let isNew = entries.count
        answer(entry, queue)
        for shown in [entry] + entries[isNew...] {
            shown.presentations = 1
            queue.show([shown])
        }
    }

    private func answer(_ entry: StoreEntry, _ queue: ShopQueue) {
        entry.presentations = 0
        switch choices.index(weightedBy: [12, 2, 1, isAlone(entry, queue) ? 1 : 0, 2]) {
        case 0: charge(entry)
        case 1: entry.state = .failed(StoreFailure(domain: StoreFailure.storeDomain, code: 2))
        case 2: entry.state = .failed(StoreFailure(domain: "NSURLErrorDomain", code: -1_009))
        case 3:
            entry.state = .failed(
                StoreFailure(
                    domain: StoreFailure.storeDomain, code: 0,
                    causes: [.init(domain: "ASDServerErrorDomain", code: 2_024)]))
            // The user confirms in the App Store, which makes a purchase without a request.
            let later = newEntry(entry.product, entry.quantity, entry.account)
            charge(later)
            entries.append(later)
        default: entry.state = .deferred
        }
    }

    /// Whether the app requested an entry and the recorder knows it, and no similar one is in the
    /// queue or was on its way to it when the app crashed, so that a purchase without a request
    /// can't be mistaken for another's.
    private func isAlone(_ entry: StoreEntry, _ queue: ShopQueue) -> Bool {
        let noted = queue.recorder?.book.notes.payments.filter {
            $0.request.product.name == entry.product && $0.session.account?.name == entry.account
        }
        return !entry.isPromoted && noted?.map(\.isPromoted) == [false]
            && !held.contains {
                $0 !== entry && $0.product == entry.product
                    && $0.account == entry.account
            }
    }

    private func charge(_ entry: StoreEntry) {
        let line = purchases.first {
            $0.product == entry.product && $0.account == entry.account && $0.original == nil
        }
        let isLine = entry.product.hasSuffix("monthly")
        let purchase = StorePurchase(
            name(), entry.product, entry.account, entry.quantity, clock.now,
            original: isLine ? line : nil)
        for earlier in purchases where isLine && (earlier === line || earlier.original === line) {
            earlier.isOver = true
        }
        purchases.append(purchase)
        (entry.state, entry.transaction, entry.date) = (.purchased, purchase.transaction, clock.now)
        entry.original = purchase.original
        if entry.product.hasSuffix("birds") { entry.downloads = [.waiting, .waiting] }
        guard isLine else { return }
        purchase.end = clock.now.advanced(byMilliseconds: 30 * Timestamp.day)
        state(
            .receiptListed(
                ReceiptListed(
                    transaction: TransactionID(purchase.transaction),
                    original: TransactionID((purchase.original ?? purchase).transaction),
                    product: ProductID(purchase.product), kind: .autoRenewable, group: "magazine",
                    purchasedAt: purchase.date, expiresAt: purchase.end)), purchase.account)
    }

    private func decide(_ queue: ShopQueue) {
        guard let entry = held.first(where: \.isDeferred) else { return }
        if choices.happens(oncePer: 3) {
            entry.state = .failed(StoreFailure(domain: StoreFailure.storeDomain, code: 2))
        } else {
            charge(entry)
        }
        entry.presentations = 1
        queue.show([entry])
    }

    private func download(_ queue: ShopQueue) {
        let moving = queue.downloads.filter { $0.observedDownloadState?.isTerminal == false }
        guard let download = moving.first, queue.hasStarted(download) else { return }
        switch choices.index(weightedBy: [8, 1, 1]) {
        case 0:
            download.change(to: download.observedDownloadState == .active ? .finished : .active)
        case 1: download.change(to: .paused)
        default: download.change(to: .failed)
        }
        queue.recorder?.updated(downloads: [download])
    }

    private func continueRestore(_ queue: ShopQueue) {
        guard let open = restore else { return }
        if !open.entries.isEmpty {
            restore?.entries = []
            entries += open.entries
            // No crash before the app has recorded them: a launch ends the restore, and then nobody
            // could tell whether they belong to it.
            queue.fuse.arm(nil)
            open.entries.forEach { $0.presentations = 1 }
            queue.show(open.entries)
        } else {
            restore = nil
            showWaiting(queue)
            if choices.happens(oncePer: 5) {
                queue.recorder?.restoreFailed(
                    StoreFailure(domain: StoreFailure.storeDomain, code: 0))
            } else {
                queue.recorder?.restoreCompleted()
            }
        }
    }

    // MARK: Statements to the server

    private func state(_ fact: Fact<Written>, _ account: String?) {
        statementCount += 1
        let id = "statement-\(statementCount)"
        statements.append(
            Statement(id: id, account: account, signedAt: clock.now, fact: fact))
    }

    /// The statements that the app hasn't received.
    func takeStatements(_ hear: (Statement) throws -> Void) rethrows {
        while let first = statements.first {
            try hear(first)
            statements.removeFirst()
        }
    }

    private func refund() {
        guard choices.happens(oncePer: 2), let purchase = purchases.last else { return }
        let transaction = TransactionID<Written>(purchase.transaction)
        if purchase.isRefunded {
            // Not while the user is buying the product again, or restores: what is restored was
            // decided when the restore began.
            let isAsked = held.contains {
                $0.product == purchase.product && $0.account == purchase.account
            }
            guard !isAsked, restore == nil, choices.happens(oncePer: 2) else { return }
            purchase.isRefunded = false
            state(.cancellationReversed(transaction: transaction), purchase.account)
        } else {
            purchase.isRefunded = true
            state(
                .cancellationRefunded(
                    CancellationRefunded(
                        transaction: transaction, cancelledAt: clock.now, reason: .other)),
                purchase.account)
        }
    }

    /// Renews or ends the subscriptions whose period has ended.
    private func renew() {
        for purchase in purchases {
            guard let end = purchase.end, end <= clock.now, !purchase.isOver else { continue }
            purchase.isOver = true
            let original = (purchase.original ?? purchase).transaction
            // A user who is buying the product again gets no renewal.
            let isAsked = held.contains {
                $0.product == purchase.product && $0.account == purchase.account
                    && $0.transaction == nil
            }
            if purchase.isRefunded || isAsked || choices.happens(oncePer: 2) {
                state(
                    .renewalExpired(
                        RenewalExpired(original: TransactionID(original), reason: .cancelled)),
                    purchase.account)
            } else {
                let entry = newEntry(purchase.product, 1, purchase.account)
                charge(entry)
                entry.waitsForLaunch = true
                entries.append(entry)
            }
        }
    }
}
