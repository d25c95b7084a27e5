import PurchaseRecorder
import TestSupport
import Testing

@testable import PurchaseEvents

/// The stories of StoreKit 2's recorder, `Signed/NAME.stories`: what StoreKit and the app do, each
/// with all that follows.
///
/// A transaction is `ID PRODUCT`, as StoreKit states it now, with the words `shared` for the
/// family's, `sandbox`, `json` for a statement without a signature, `refunded:REASON`,
/// `distrust=REASON`, and JSON members, in which `@N` is N hours from now. `make NAME …` keeps one
/// for later. `during CALL: …` says what happens while the app does something. Events follow after
/// `= ` as ``RecorderStory`` says, calls of the app and finishes after `> `, problems and findings
/// after `! `; `UPDATE_GOLDEN=1` writes them anew.
struct SignedStoryTests {
    @Test(arguments: StoryFile.all(in: "Signed"))
    func `what StoreKit 2 states is recorded as its story shows`(_ file: StoryFile) async throws {
        for (told, played) in try await file.played(SignedStory.played) {
            #expect(told == played, "\(file): \(told[0])\n\(played.joined(separator: "\n"))")
        }
    }
}

/// A story of StoreKit 2, as it goes on.
private final class SignedStory {
    private let bench: SignedBench
    private var transactions: [String: SignedTransactionStub] = [:]
    private var statuses: [String: StatusStub] = [:]
    private var story: RecorderStory

    private init(launching: Bool) async throws {
        bench = try await SignedBench(launching: launching)
        story = RecorderStory(bench.log)
    }

    static func played(_ told: [String]) async throws -> [String] {
        let launches = told.contains { $0 == "launch" || $0.hasPrefix("launch ") }
        let story = try await SignedStory(launching: !launches)
        var lines: [String] = []
        for line in told {
            lines.append(line)
            do {
                try await story.act(line.split(separator: " ").map(String.init))
                lines += story.news()
            } catch let problem as RecorderProblem {
                lines += story.news() + ["! \(problem)"]
            }
        }
        return try lines + story.story.findings()
    }

    private func news() -> [String] {
        story.events() + story.new(bench.app.calls, ">", of: "app")
            + story.new(bench.app.problems.map { "\($0)" }, "!", of: "problems")
    }

    private func act(_ words: [String]) async throws {
        let (recorder, rest) = (bench.recorder, Array(words.dropFirst()))
        let text = rest.joined(separator: " ")
        switch words[0] {
        case "launch": try await recorder.launch(unfinished: transactions(rest))
        case "restart": try bench.restart()
        case "relaunch":
            let unfinished = transactions(rest)
            try bench.restart()
            try await bench.recorder.launch(unfinished: unfinished)
        case "wait": bench.log.clock.advance(hours: Int64(text) ?? 0)
        case "work": await recorder.workOnDueTasks()
        case "begin":
            let parts = text.split(separator: "×")
            let order = PaymentOrder(
                product: String(parts[0]),
                quantity: parts.dropFirst().first.flatMap { Int($0) } ?? 1,
                account: SignedBench.account)
            _ = try await recorder.begin(order)
        case "end": await recorder.end(rest[0], try result(Array(rest.dropFirst())))
        case "make" where rest[1] == "status": statuses[rest[0]] = status(Array(rest.dropFirst(2)))
        case "make": transactions[rest[0]] = transaction(Array(rest.dropFirst()))
        case "update": for one in transactions(rest) { await recorder.received(update: one) }
        case "entitlements": await recorder.received(entitlements: transactions(rest))
        case "history": await recorder.received(history: transactions(rest))
        case "redeemed": await recorder.received(redemption: transaction(rest))
        case "restore":
            try await recorder.beginRestore(account: text == "me" ? SignedBench.account : nil)
        case "restored": await recorder.endRestore(SignedStoreError(rawValue: text))
        case "status": await recorder.received(status: statuses[text] ?? status(rest))
        case "list":
            let parts = text.split(separator: " for ").map {
                $0.split(separator: " ").map(String.init)
            }
            let products = RecorderStory.parts(parts[0]).map(RecorderStory.product)
            await recorder.received(products, askedFor: parts[1])
        case "during": during(text)
        case "notes": bench.log.files[TestLog.notesPath] = Array("\(text)\n".utf8)
        case "full": bench.log.files.plan { $0 == .append && $1 == 1 ? .fail(28) : nil }
        case "heal": bench.log.files.heal()
        case _: throw StoryFile.Mistake("what is \(words[0])?")
        }
    }

    /// Sets what happens during a call of the app.
    private func during(_ text: String) {
        let parts = text.split(separator: ": ").map(String.init)
        let (recorder, words) = (bench.recorder, parts[1].split(separator: " ").map(String.init))
        let update = words.last.flatMap { transactions[$0] }
        let meanwhile: SignedApp.Meanwhile = {
            if words.contains("work") { await recorder.workOnDueTasks() }
            guard let update else { throw SignedStoreError.networkError }
            await recorder.received(update: update)
        }
        bench.app.during(parts[0], words[0] == "nothing" ? nil : meanwhile)
    }

    private func result(_ words: [String]) throws -> ObservedPurchaseResult {
        switch words[0] {
        case "success": return .success(transaction(Array(words.dropFirst())))
        case "cancelled": return .userCancelled
        case "pending": return .pending
        case let word:
            guard let error = SignedStoreError(rawValue: word) else {
                throw StoryFile.Mistake("what is \(word)?")
            }
            return .failed(error)
        }
    }

    // MARK: Transactions

    private func transactions(_ words: [String]) -> [any ObservedSignedTransaction] {
        RecorderStory.parts(words).map { transaction($0) }
    }

    /// The transaction that was made under a name, or a new one.
    private func transaction(_ words: [String]) -> SignedTransactionStub {
        if let known = transactions[words[0]] { return known }
        let now = bench.log.clock.now.milliseconds
        let members = words.filter { $0.hasPrefix("{") }.map { members in
            ",\(members.dropFirst().dropLast())".replacing(/@(-?\d+)/) { hours in
                "\(now + (Int64(hours.1) ?? 0) * Timestamp.hour)"
            }
        }
        let refunds = words.compactMap { $0.wholeMatch(of: /refunded:(\d)/) }
            .compactMap { Int($0.1) }.map(bench.refunded)
        let distrust = RecorderStory.values(words)["distrust"].flatMap { Distrust(rawValue: $0) }
        return bench.transaction(
            words[0], words.first { ["theme", "news"].contains($0) } ?? "coins",
            (refunds + members).joined(),
            ownership: words.contains("shared") ? "FAMILY_SHARED" : "PURCHASED",
            environment: words.contains("sandbox") ? "Sandbox" : "Production",
            distrust: distrust, isSigned: !words.contains("json"))
    }

    /// A status: `STATE renews TRANSACTION`, or `ends` or `unverified` instead of `renews`.
    private func status(_ words: [String]) -> StatusStub {
        var status = bench.status(
            Int(words[0]) ?? 0, of: transaction(Array(words.dropFirst(2))), words[2],
            renews: words[1] == "renews")
        if words[1] == "unverified" { status.observedRenewalDistrust = .invalidEncoding }
        return status
    }
}
