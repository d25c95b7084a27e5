import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import TestSupport
import Testing

struct ReasonPropertyTests {
    @Test func `the lines of each row of the samples give the row, and each is needed`() throws {
        for (index, log) in try TriedLog.samples().enumerated()
        where Effort.isWhole || index.isMultiple(of: 6) {
            let asksAll = Effort.of(whole: true, part: index.isMultiple(of: 24))
            try ReasonTrial(log).tryAll(andQuestions: asksAll)
        }
    }

    @Test func `the lines of each row of generated logs give the row, and each is needed`() throws {
        for seed in 1...UInt64(Effort.of(whole: 1_000, part: 2)) {
            try ReasonTrial(TriedLog.generated(seed)).tryAll()
        }
    }

    @Test func `the lines of each finding of the samples give the finding, and each is needed`()
        throws
    {
        for log in try TriedLog.samples() where log.name.hasPrefix("violations") {
            let reasons = try Reasons(log.lines)
            for finding in try log.lines.findings() {
                let question = Question.finding(line: Int(finding.line), rule: finding.rule)
                let reason = try reasons.reason(for: question)
                #expect(reason.answer.finding?.rule == finding.rule, "\(log.name) \(finding)")
                try ReasonTrial.expectLeast(question, reason, reasons, log.name)
            }
        }
    }
}

/// Checks the reasons of one log.
struct ReasonTrial {
    let log: TriedLog
    let reasons: Reasons

    init(_ log: TriedLog) throws {
        self.log = log
        reasons = try Reasons(log.lines)
    }

    /// Checks each row of each projection, and the questions that the rows and the names suggest.
    func tryAll(andQuestions asksAll: Bool = true) throws {
        let show = try log.lines.show()
        var questions: [Question] = []
        for projection in ProjectionCatalogue.all {
            for row in ShownRow.all(show, of: projection.name, asOf: reasons.instant) {
                let reason = try tried(.row(row))
                #expect(reason.answer.row == row, "\(log.name): \(row.json)")
                questions += row.questions
            }
        }
        guard asksAll else { return }
        questions += absent(show)
        for question in questions { try tried(question) }
    }

    /// Questions about names that may have no row.
    private func absent(_ show: Show) -> [Question] {
        let names = show.facts.names
        var accounts: Set<String> = []
        var products: Set<String> = []
        let decoder = LineDecoder()
        for index in log.lines.indices {
            guard let event = decoder.event(on: log.lines[index]) else { continue }
            if let account = event.account { accounts.insert(account.name) }
            if let product = event.product { products.insert(product.name) }
        }
        var questions: [Question] = []
        for account in accounts.sorted().prefix(2) {
            for product in products.sorted().prefix(3) {
                questions.append(.entitlement(account: account, product: product))
                questions.append(.restore(account: account, product: product))
                questions.append(.balance(account: account, product: product))
            }
        }
        for transaction in show.facts.knownTransactions.prefix(4) {
            questions.append(.pending(key: names.text(of: transaction)))
            questions.append(.subscription(original: names.text(of: transaction)))
        }
        return questions
    }

    @discardableResult
    private func tried(_ question: Question) throws -> Reason {
        let reason = try reasons.reason(for: question)
        try ReasonTrial.expectLeast(question, reason, reasons, log.name)
        guard reason.answer.isNo else { return reason }
        let prevents = reason.lines(.prevents)
        let missing = reason.parts.filter { $0.role == .missing }
        #expect(prevents.isEmpty != missing.isEmpty, "\(log.name): \(question) \(reason.parts)")
        for line in prevents {
            let others = (1...log.lines.count).filter { $0 != line }
            let other = try reasons.answer(to: question, from: others)
            #expect(!other.isNo, "\(log.name): \(question), without line \(line)")
        }
        return reason
    }

    /// Expects the lines that an answer depends on to be minimal.
    static func expectLeast(
        _ question: Question, _ reason: Reason, _ reasons: Reasons, _ name: String
    ) throws {
        let rests = reason.lines(.rests)
        let alone = try reasons.answer(to: question, from: rests)
        #expect(alone.isSame(as: reason.answer), "\(name): \(question), lines \(rests)")
        for line in rests {
            let others = try reasons.answer(to: question, from: rests.filter { $0 != line })
            #expect(
                !others.isSame(as: reason.answer), "\(name): \(question), not needed: \(line)")
        }
    }
}

extension ShownRow {
    /// The questions of `replay why` that a row answers.
    fileprivate var questions: [Question] {
        let (account, product) = (text("account"), text("product"))
        switch projection {
        case Entitlements.name:
            return product.map { [.entitlement(account: account, product: $0)] } ?? []
        case Restores.name:
            return product.map { [.restore(account: account, product: $0)] } ?? []
        case Balances.name:
            return product.map { [.balance(account: account, product: $0)] } ?? []
        case Pending.name:
            return (text("transaction") ?? text("payment")).map { [.pending(key: $0)] } ?? []
        case Subscriptions.name:
            return text("original").map { [.subscription(original: $0)] } ?? []
        case _: return []
        }
    }
}
