import PurchaseEvents
import PurchaseProjections

/// The names in each line of a log, to find the lines about one thing without reading the log
/// again.
///
/// Lines that share a transaction, an original or a payment, directly or through other lines,
/// belong to one family: a purchase with its restores, or a subscription with its periods. Cost: 44
/// bytes a line, and 4 bytes for each transaction and payment.
struct NamedLines {
    /// The names in one line, as handles counted from 1; 0 means none.
    struct Names {
        /// The type of the event; `nil` if the line is not an event.
        var type: EventType?
        var account: UInt32 = 0, otherAccount: UInt32 = 0, device: UInt32 = 0
        var product: UInt32 = 0, receipt: UInt32 = 0, notification: UInt32 = 0
        var transaction: UInt32 = 0, original: UInt32 = 0, payment: UInt32 = 0
        /// The family of the line, counted from 1.
        var family: UInt32 = 0

        func names(account wanted: UInt32) -> Bool { account == wanted || otherAccount == wanted }
    }

    /// The family of each transaction and then of each payment.
    private var families: [UInt32] = []
    private(set) var all: [Names] = []
    let names: NameTable
    /// The greatest `at` of the log; `nil` if it has no event.
    private(set) var greatestAt: Timestamp?

    init(_ lines: LogLines, threads: Int = 1) throws {
        let decoder = LineDecoder()
        names = decoder.names
        all.reserveCapacity(lines.count)
        try lines.read(decoder, threads: threads) { lines in
            for line in lines { add(line) }
        }
        findFamilies()
    }

    private mutating func add(_ line: ReadLine) {
        var lineNames = Names()
        defer { all.append(lineNames) }
        guard let event = line.event else { return }
        greatestAt = max(greatestAt ?? event.at, event.at)
        lineNames.type = event.type
        lineNames.account = NamedLines.handle(event.account)
        lineNames.device = NamedLines.handle(event.device)
        lineNames.product = NamedLines.handle(event.product)
        lineNames.transaction = NamedLines.handle(event.transaction)
        lineNames.payment = NamedLines.handle(event.payment)
        lineNames.notification = NamedLines.handle(event.source)
        let fact = event.fact
        lineNames.original = NamedLines.handle(fact.original)
        switch fact {
        case .receiptRefreshed(let receipt): lineNames.receipt = NamedLines.handle(receipt)
        case .receiptListed(let row): lineNames.receipt = NamedLines.handle(row.receipt)
        case .receiptValidated(let answer): lineNames.receipt = NamedLines.handle(answer.receipt)
        case .notificationReceived(let received):
            lineNames.notification = NamedLines.handle(received.notification)
        case .accountLinked(let linked): lineNames.otherAccount = NamedLines.handle(linked.from)
        case _: break
        }
    }

    /// The handle of a name, counted from 1; 0 for `nil`.
    static func handle<Role>(_ name: Identifier<Role, Interned>?) -> UInt32 {
        name.map { UInt32(truncatingIfNeeded: $0.index) &+ 1 } ?? 0
    }

    /// The handle of a text, counted from 1; 0 if no line has the name.
    func handle<Role>(_ name: Identifier<Role, Written>) -> UInt32 {
        NamedLines.handle(names.find(name))
    }

    // MARK: Families

    /// An exclusive upper limit for family numbers that count from 0.
    var familyLimit: Int { families.count }

    /// The family of a transaction, counted from 1; 0 if no line names the transaction.
    func family(ofTransaction text: String) -> UInt32 {
        let handle = handle(TransactionID<Written>(text))
        return handle == 0 ? 0 : families[Int(handle) - 1]
    }

    func family(ofPayment text: String) -> UInt32 {
        let handle = handle(PaymentID<Written>(text))
        return handle == 0 ? 0 : families[names.count(of: .transaction) + Int(handle) - 1]
    }

    /// Gives one family to the lines that share transactions, originals or payments.
    private mutating func findFamilies() {
        let transactions = names.count(of: .transaction)
        var sets = DisjointSets(count: transactions + names.count(of: .payment))
        for lineNames in all {
            let nodes = NamedLines.nodes(of: lineNames, transactions)
            guard let first = nodes.first else { continue }
            for other in nodes.dropFirst() { sets.join(first, other) }
        }
        for index in all.indices {
            guard let node = NamedLines.nodes(of: all[index], transactions).first else { continue }
            all[index].family = UInt32(truncatingIfNeeded: sets.find(node)) &+ 1
        }
        families = (0..<sets.count).map { UInt32(truncatingIfNeeded: sets.find($0)) &+ 1 }
    }

    private static func nodes(of lineNames: Names, _ transactions: Int) -> [Int] {
        var nodes: [Int] = []
        if lineNames.transaction != 0 { nodes.append(Int(lineNames.transaction) - 1) }
        if lineNames.original != 0 { nodes.append(Int(lineNames.original) - 1) }
        if lineNames.payment != 0 { nodes.append(transactions + Int(lineNames.payment) - 1) }
        return nodes
    }
}

/// Numbers grouped into sets that can be joined.
struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) { parents = (0..<count).map { Int32(truncatingIfNeeded: $0) } }

    var count: Int { parents.count }

    /// Adds a number as a set of its own, and returns the number.
    mutating func add() -> Int {
        parents.append(Int32(truncatingIfNeeded: parents.count))
        return parents.count - 1
    }

    /// The number that represents a number's set.
    mutating func find(_ number: Int) -> Int {
        var number = number
        while Int(parents[number]) != number {
            parents[number] = parents[Int(parents[number])]
            number = Int(parents[number])
        }
        return number
    }

    mutating func join(_ left: Int, _ right: Int) {
        let (left, right) = (find(left), find(right))
        parents[max(left, right)] = Int32(truncatingIfNeeded: min(left, right))
    }
}
