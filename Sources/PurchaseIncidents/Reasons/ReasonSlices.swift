import PurchaseEvents
import PurchaseProjections

/// The lines of a log that may matter to a question: first a few, then more, then all.
///
/// The caller checks that a slice gives the answer of the whole log, and otherwise tries the next
/// slice.
struct ReasonSlices {
    private let named: NamedLines
    /// The lines that a finding names, as indices; empty for other questions.
    private var proof: Set<Int> = []
    /// The families that the question concerns, counted from 1.
    private var families: Set<UInt32> = []
    /// The accounts and products that the question or its families name; 0 means no account.
    private var accounts: Set<UInt32> = [], products: Set<UInt32> = []
    /// Whether lines of every type matter, as they do for rules.
    private var isOfRules = false
    /// The line of the first delivery without a device, since which a server owes what it doesn't
    /// grant; `nil` for questions that don't depend on it.
    private var firstServerGrant: Int?

    init(_ question: Question, _ answer: Answer, _ named: NamedLines) {
        self.named = named
        switch question {
        case .entitlement(let account, let product), .restore(let account, let product),
            .balance(let account, let product):
            seed(account: account, product: product)
        case .pending(let key):
            seed(transaction: key)
            seed(payment: key)
        case .subscription(let original): seed(transaction: original)
        case .finding: seed(answer.finding)
        case .row(let row): seed(row)
        }
        if let row = answer.row { seed(named: row) }
        addNames()
        let reads = question.projection.map { ProjectionCatalogue.dependencies(of: $0).reads }
        if reads?.contains(.serverGrants) ?? false {
            firstServerGrant = named.all.firstIndex {
                $0.type == .deliveryDelivered && $0.device == 0
            }
        }
    }

    /// The slices, from the smallest to the whole log, each a sorted list of indices.
    var all: [() -> [Int]] {
        var slices: [() -> [Int]] = []
        if isOfRules { slices.append { proof.sorted() } }
        slices.append { lines(of: families) }
        slices.append {
            var wide = families
            for lineNames in named.all where lineNames.family != 0 {
                let isNear =
                    (lineNames.account != 0 && accounts.contains(lineNames.account))
                    || (lineNames.product != 0 && products.contains(lineNames.product))
                if isNear { wide.insert(lineNames.family) }
            }
            return lines(of: wide)
        }
        slices.append { Array(named.all.indices) }
        return slices
    }

    // MARK: Seeds

    private mutating func seed(account: String?, product: String) {
        let account = account.map { named.handle(AccountID<Written>($0)) } ?? 0
        let product = named.handle(ProductID<Written>(product))
        accounts.insert(account)
        products.insert(product)
        let ofProduct = families { $0.product == product }
        families.formUnion(
            account == 0
                ? ofProduct : ofProduct.intersection(families { $0.names(account: account) }))
    }

    private mutating func seed(transaction: String) {
        let handle = named.handle(TransactionID<Written>(transaction))
        guard handle != 0 else { return }
        families.formUnion(families { $0.transaction == handle || $0.original == handle })
    }

    private mutating func seed(payment: String) {
        let handle = named.handle(PaymentID<Written>(payment))
        guard handle != 0 else { return }
        families.formUnion(families { $0.payment == handle })
    }

    private mutating func seed(_ row: ShownRow) {
        guard let projection = ProjectionCatalogue.find(row.projection) else { return }
        switch ProjectionCatalogue.dependencies(of: projection).reach {
        case .receipt, .account:
            let account = row.text("account").map { named.handle(AccountID<Written>($0)) } ?? 0
            accounts.insert(account)
            families.formUnion(families { account == 0 || $0.names(account: account) })
        case .consumable:
            guard let product = row.text("product") else { return }
            seed(account: row.text("account"), product: product)
        case .family, .lastingProduct: return
        }
    }

    private mutating func seed(named row: ShownRow) {
        if let name = row.text("transaction") { seed(transaction: name) }
        if let name = row.text("original") { seed(transaction: name) }
        if let name = row.text("payment") { seed(payment: name) }
    }

    private mutating func seed(_ finding: Finding?) {
        isOfRules = true
        guard let finding else { return }
        proof = Set(([finding.line] + finding.notes.map(\.line)).map { Int($0) - 1 })
        proof = proof.filter { named.all.indices.contains($0) }
        if !named.all.isEmpty { proof.insert(0) }
        for index in proof {
            let lineNames = named.all[index]
            if lineNames.family != 0 { families.insert(lineNames.family) }
            accounts.insert(lineNames.account)
            if lineNames.product != 0 { products.insert(lineNames.product) }
        }
        if let key = finding.key {
            seed(transaction: key)
            seed(payment: key)
        }
        if let account = finding.account {
            accounts.insert(named.handle(AccountID<Written>(account)))
        }
    }

    private func families(_ matches: (NamedLines.Names) -> Bool) -> Set<UInt32> {
        var families: Set<UInt32> = []
        for lineNames in named.all where lineNames.family != 0 && matches(lineNames) {
            families.insert(lineNames.family)
        }
        return families
    }

    private mutating func addNames() {
        for lineNames in named.all
        where lineNames.family != 0 && families.contains(lineNames.family) {
            if lineNames.account != 0 { accounts.insert(lineNames.account) }
            if lineNames.otherAccount != 0 { accounts.insert(lineNames.otherAccount) }
            if lineNames.product != 0 { products.insert(lineNames.product) }
        }
    }

    // MARK: Lines

    /// The types of events without a transaction or payment that projections read.
    private static let readTypes = EventTypes(
        .logOpened, .catalogListed, .contentPublished, .deliveryConsumed, .deliveryUnlocked,
        .receiptRefreshed, .restoreRequested, .restoreSelected)

    /// The lines of some families, and the lines without a family that may matter to them.
    private func lines(of families: Set<UInt32>) -> [Int] {
        named.all.indices.filter { index in
            let lineNames = named.all[index]
            if index == firstServerGrant { return true }
            if lineNames.family != 0 { return families.contains(lineNames.family) }
            guard let type = lineNames.type else { return false }
            if type == .logOpened || proof.contains(index) { return true }
            guard isOfRules || ReasonSlices.readTypes.contains(type) else { return false }
            return (lineNames.account == 0 || accounts.contains(lineNames.account))
                && (lineNames.product == 0 || products.contains(lineNames.product))
        }
    }
}
