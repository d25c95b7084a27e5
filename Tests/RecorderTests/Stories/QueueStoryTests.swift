import PurchaseRecorder
import TestSupport
import Testing

@testable import PurchaseEvents

/// The stories of the payment queue's recorder, `Queue/NAME.stories`: what the store, the user and
/// the app do, each with all that follows.
///
/// An entry of the queue is `NAME STATE PRODUCT×QUANTITY ID`: a failed one is `failed:CODE` or
/// `failed:CODE:CAUSE`, one without a state `new`, and `NAME again` is the same entry at the next
/// launch. `by=ACCOUNT`, `of=NAME` and `file=CONTENT:STATE:CODE` say its account, its original and
/// its download. `make` and `show` take several entries with commas between them. Events follow
/// after `= ` as ``RecorderStory`` says, calls of the queue and the app after `> `, problems and
/// findings after `! `; `UPDATE_GOLDEN=1` writes them anew.
struct QueueStoryTests {
    @Test(arguments: StoryFile.all(in: "Queue"))
    func `what the queue presents is recorded as its story shows`(_ file: StoryFile) async throws {
        for (told, played) in try await file.played({ try QueueStory.played($0) }) {
            #expect(told == played, "\(file): \(told[0])\n\(played.joined(separator: "\n"))")
        }
    }
}

/// A story of the payment queue, as it goes on.
private final class QueueStory {
    private let bench: Bench
    private var entries: [String: TestTransaction] = [:]
    private var story: RecorderStory
    private var answers: [String] = []

    private init(launching: Bool) throws {
        bench = try Bench(launching: launching)
        story = RecorderStory(bench.log)
        _ = news()
    }

    static func played(_ told: [String]) throws -> [String] {
        let story = try QueueStory(launching: told.first != "launch")
        var lines: [String] = []
        for line in told {
            lines.append(line)
            do {
                let line = line.replacing(#"\u{1}"#, with: "\u{1}")
                try story.act(line.split(separator: " ").map(String.init))
                lines += story.news()
            } catch let problem as RecorderProblem {
                lines += story.news() + ["! \(problem)"]
            }
        }
        return try lines + story.story.findings()
    }

    private func news() -> [String] {
        defer { answers = [] }
        return answers + story.events() + story.new(bench.queue.calls, ">", of: "queue")
            + story.new(bench.app.calls, ">", of: "app")
            + story.new(bench.app.problems.map { "\($0)" }, "!", of: "problems")
    }

    private func act(_ words: [String]) throws {
        let (recorder, rest) = (bench.recorder, Array(words.dropFirst()))
        let text = rest.joined(separator: " ")
        switch words[0] {
        case "launch": try recorder.launch()
        case "relaunch":
            story.lengths["queue"] = 0
            try bench.relaunch()
        case "notes":
            let files = bench.log.files
            answers = files.paths.filter { $0.hasPrefix(TestLog.notesPath) }.flatMap { path in
                ["> \(path)"] + (files.text(path) ?? "").split(separator: "\n").map { "> \($0)" }
            }
        case "wait": bench.clock.advance(hours: Int64(text) ?? 0)
        case "work": recorder.workOnDueTasks()
        case "end": try recorder.endObserving()
        case "buy": try recorder.buy(order(rest))
        case "promote":
            answers = ["> \(recorder.shouldAdd(order(rest)) ? "the queue may" : "it may not")"]
        case "make": _ = try shown(rest)
        case "show": bench.show(try shown(rest))
        case "removed": recorder.removed(try shown(rest))
        case "download": recorder.updated(downloads: try download(rest).downloads)
        case "control":
            guard let control = DownloadControl(rawValue: rest[1]) else {
                throw StoryFile.Mistake("what is \(text)?")
            }
            recorder.control(entries[rest[0]]?.downloads ?? [], control)
        case "refund": try bench.refund(TransactionID(text))
        case "restore": try recorder.restore(account: Bench.account)
        case "restored": recorder.restoreCompleted()
        case "unrestored": recorder.restoreFailed(Int(text).map { failure("SKErrorDomain", $0) })
        case "ask": recorder.requestProducts(rest)
        case "list": list(rest)
        case "unanswered":
            let request = rest[0] == "receipt" ? StoreRequest.receipt : .products([rest[0]])
            recorder.requestFailed(request, rest.count > 1 ? failure(rest[1], -1_009) : nil)
        case "refresh": recorder.refreshReceipt()
        case "receipt": recorder.refreshedReceipt(Array(text.utf8))
        case "revoked": recorder.revoked(rest)
        case _: try set(words[0], rest, text)
        }
    }

    /// Changes what the user, the app and the disk do from now on.
    private func set(_ what: String, _ rest: [String], _ text: String) throws {
        switch what {
        case "failing": bench.app.failing = Set(rest)
        case "validating": bench.app.validation = ValidationOutcome(rawValue: text)
        case "choosing": bench.app.chosen = rest
        case "restricted": bench.queue.mayPay = text != "yes"
        case "declining": bench.app.mayPay = false
        case "room": bench.log.files.stop(afterBytes: Int(text) ?? 0)
        case "crashing":
            let files = bench.log.files
            bench.queue.onFinish = { files.stop(afterBytes: 0) }
        case _: throw StoryFile.Mistake("what is \(what)?")
        }
    }

    // MARK: Words

    private func failure(_ domain: String, _ code: Int) -> StoreFailure {
        StoreFailure(domain: domain, code: code)
    }

    private func order(_ words: [String]) -> PaymentOrder {
        let parts = words[0].split(separator: "×")
        return PaymentOrder(
            product: String(parts[0]), quantity: parts.count > 1 ? Int(parts[1]) ?? 0 : 1,
            account: account(words))
    }

    private func account(_ words: some Sequence<String>) -> String? {
        let name = RecorderStory.values(words)["by"] ?? Bench.account
        return name == "nobody" ? nil : name
    }

    private func list(_ words: [String]) {
        let parts = RecorderStory.parts(words)
        let invalid = parts.filter { $0[0] == "not" }.map { $0[1] }
        bench.recorder.received(
            parts.filter { $0[0] != "not" }.map(RecorderStory.product), invalid: invalid)
    }

    private func shown(_ words: [String]) throws -> [TestTransaction] {
        try RecorderStory.parts(words).map(entry)
    }

    private static let states: [String: ObservedTransactionState] = [
        "purchasing": .purchasing, "deferred": .deferred, "failed": .failed,
        "purchased": .purchased, "restored": .restored,
    ]

    /// The entry of a name, new or changed as its words say.
    private func entry(_ words: [String]) throws -> TestTransaction {
        let plain = words.dropFirst(2).filter { !$0.contains("=") }
        let id = plain.first { $0.wholeMatch(of: /t\d+/) != nil }
        var known = entries[words[0]]
        if words.dropFirst() == ["again"] { known = known?.again }
        if let product = plain.first(where: { $0 != id }) {
            let order = order([product] + words)
            known = TestTransaction(
                nil, order.product, quantity: order.quantity, account: order.account)
        }
        guard let entry = known else { throw StoryFile.Mistake("no entry \(words)") }
        entries[words[0]] = entry
        guard words.count > 1, words[1] != "again" else { return entry }
        let state = words[1].split(separator: ":").map(String.init)
        entry.observedState = QueueStory.states[state[0]]
        if let code = state.dropFirst().first.flatMap({ Int($0) }) {
            entry.fail(
                code,
                causes: state.dropFirst(2).compactMap { Int($0) }
                    .map { .init(domain: "ASDServerErrorDomain", code: $0) })
        }
        if let id { (entry.observedIdentifier, entry.observedDate) = (id, bench.clock.now) }
        let values = RecorderStory.values(words)
        if let original = values["of"] { entry.observedOriginal = entries[original] }
        if let file = values["file"]?.split(separator: ":").map(String.init) {
            let download = TestDownload(file[0], of: entry)
            change(download, Array(file.dropFirst()))
            entry.downloads = [download]
        }
        return entry
    }

    private func change(_ download: TestDownload, _ words: [String]) {
        guard let state = words.first else { return }
        download.state = DownloadState(rawValue: state)
        if words.count > 1, let code = Int(words[1]) {
            download.observedDownloadFailure = failure("NSURLErrorDomain", code)
        }
    }

    /// The entry whose download the words change.
    private func download(_ words: [String]) throws -> TestTransaction {
        guard let entry = entries[words[0]], let download = entry.downloads.first else {
            throw StoryFile.Mistake("no download \(words)")
        }
        change(download, Array(words.dropFirst()))
        return entry
    }
}
