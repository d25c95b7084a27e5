import PurchaseEvents
import PurchaseProjections

/// A log split into parts that can be checked separately, as `Scale/` splits logs: lines that share
/// a name are in one part, and lines that affect any account are in every part.
///
/// The catalogue, published content, `log.*` and lines not understood are in every part and join
/// nothing. The first `queue.finished` of a payment, and the first lines that state a product's
/// kind and group, are in every part too, and join what they name like any other line.
struct LogParts {
    /// For each part, its lines, counted from 1 and in order.
    let lines: [[Int]]
    /// The lines in every part.
    let shared: [Int]
    /// For each shared line, the part whose findings count: the one with the line's names.
    let homes: [Int: Int]
    private let bytes: [ArraySlice<UInt8>]
    private let greatestAt: Timestamp?

    init(_ log: [UInt8], count: Int) {
        bytes = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let decoder = LineDecoder()
        let events = bytes.map { decoder.event(on: $0) }
        greatestAt = events.compactMap { $0?.at }.max()
        let joinsUnnamed = events.contains { $0.map(LogParts.isOfDevice) ?? false }
        let products = StatedProducts(events)
        let joining = LogParts.joiningProducts(events.compactMap { $0 }).union(products.disputed)
        var everywhere = products.firstStatements
        let firstFailure = events.firstIndex {
            $0?.type == .queueFinished && $0?.fact.payment != nil
        }
        if let firstFailure { everywhere.insert(firstFailure) }
        let answers = LogParts.newAnswers(events)
        var names = Components()
        var shared: [Int] = []
        var labels: [(line: Int, name: String)] = []
        for (index, event) in events.enumerated() where !bytes[index].isEmpty {
            var own = event.map(LogParts.names) ?? []
            if let product = event?.fact.product?.name, joining.contains(product) {
                own.append("product:" + product)
            }
            if own.isEmpty || event?.device == nil && joinsUnnamed { own.append("") }
            let joinsNothing =
                event.map { LogParts.isShared($0.type) } ?? true || answers.contains(index)
            if joinsNothing || everywhere.contains(index) { shared.append(index + 1) }
            if !joinsNothing { for name in own.dropFirst() { names.join(own[0], name) } }
            labels.append((index + 1, own[0]))
        }
        var lines = [[Int]](repeating: [], count: count)
        var parts: [String: Int] = [:]
        var homes = Dictionary(uniqueKeysWithValues: shared.map { ($0, 0) })
        for (line, name) in labels {
            let root = names.root(of: name)
            let part = parts[root] ?? parts.count % count
            parts[root] = part
            if homes[line] == nil { lines[part].append(line) } else { homes[line] = part }
        }
        self.shared = shared
        self.homes = homes
        self.lines = lines.map { ($0 + shared).sorted() }
    }

    /// The rules that can check a part.
    static let rules = RuleCatalogue.all.compactMap { CheckedRule($0).ofPart }

    /// The reports of the rules on some lines of the log, with the log's line numbers.
    func check(_ lines: [Int]) throws -> [(rule: RuleInfo, report: Report)] {
        let reader = LogReader()
        var check = Check(
            of: LogParts.rules, names: reader.decoder.names, endOfWhole: greatestAt)
        let part = lines.flatMap { bytes[$0 - 1] + [UInt8(ascii: "\n")] }
        try reader.read(MemorySource(part)) { line in
            check.observe(line)
            return true
        }
        return check.finish()
    }

    /// A finding in some lines, as the whole log would report it.
    static func inWhole(_ finding: Finding, _ lines: [Int]) -> Finding {
        var finding = finding
        finding.line = LineNumber(lines[Int(finding.line) - 1])
        finding.notes = finding.notes.map {
            Finding.Note(line: LineNumber(lines[Int($0.line) - 1]), message: $0.message)
        }
        return finding
    }

    private static func isShared(_ type: EventType) -> Bool {
        type == .contentPublished || type.wireName.hasPrefix("log.")
    }

    /// The indices of the catalogue's answers, except repeated ones.
    private static func newAnswers(_ events: [Event<Written>?]) -> Set<Int> {
        var latest: [String: String] = [:]
        var answers: Set<Int> = []
        for (index, event) in events.enumerated() {
            var said: String
            switch event?.fact {
            case .catalogListed(let listed):
                said = "\(listed.kind) \(String(describing: listed.group?.name)) "
                said += "\(String(describing: listed.level)) \(String(describing: listed.hosted))"
            case .catalogInvalid: said = "invalid"
            case _: continue
            }
            guard let product = event?.fact.product?.name else { continue }
            if latest.updateValue(said, forKey: product) != said { answers.insert(index) }
        }
        return answers
    }

    /// Whether an event without a device belongs to the one unnamed device.
    private static func isOfDevice(_ event: Event<Written>) -> Bool {
        let types = ["app.", "restore.", "queue.observed", "queue.unobserved"]
        let payments = ["payment.restricted", "payment.allowed"]
        return event.device == nil
            && (types + payments).contains { event.type.wireName.hasPrefix($0) }
    }

    /// Products that are consumed and that a line names without an account: their units may be
    /// anyone's.
    private static func joiningProducts(_ events: [Event<Written>]) -> Set<String> {
        var consumed: Set<String> = [], unnamed: Set<String> = []
        for event in events where !event.type.wireName.hasPrefix("catalog.") {
            guard let product = event.fact.product?.name else { continue }
            if event.type == .deliveryConsumed { consumed.insert(product) }
            if event.account == nil { unnamed.insert(product) }
        }
        return consumed.intersection(unnamed)
    }

    /// The names that an event may share with others, with their kinds.
    private static func names(_ event: Event<Written>) -> [String] {
        var names: [String] = []
        func add(_ kind: String, _ name: String?) { if let name { names.append(kind + name) } }
        add("account:", event.account?.name)
        add("device:", event.device?.name)
        add("transaction:", event.fact.transaction?.name)
        add("transaction:", event.fact.original?.name)
        add("payment:", event.fact.payment?.name)
        add("notification:", event.source?.name)
        add("id:", event.id)
        switch event.fact {
        case .receiptRefreshed(let receipt): add("receipt:", receipt.name)
        case .receiptListed(let row): add("receipt:", row.receipt?.name)
        case .receiptValidated(let said): add("receipt:", said.receipt.name)
        case .notificationReceived(let said): add("notification:", said.notification.name)
        case .accountLinked(let said): add("account:", said.from?.name)
        case _: break
        }
        return names
    }
}

/// Groups of connected names.
private struct Components {
    private var parents: [String: String] = [:]

    func root(of name: String) -> String {
        var name = name
        while let parent = parents[name] { name = parent }
        return name
    }

    mutating func join(_ one: String, _ other: String) {
        let (one, other) = (root(of: one), root(of: other))
        if one != other { parents[other] = one }
    }
}
