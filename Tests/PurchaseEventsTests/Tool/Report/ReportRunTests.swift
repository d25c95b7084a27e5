import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

struct ReportRunTests {
    private static let broken = "events/violations/finished-implies-delivered.jsonl"

    private func page(_ arguments: String..., on host: TestHost) -> String {
        let status = Tool.run(["report", "--to=-"] + arguments, on: host)
        #expect(status == .well, "\(host.error)")
        return host.output
    }

    private func count(_ part: String, in page: String) -> Int { page.ranges(of: part).count }

    // MARK: The page

    @Test func `a finding has a proof, a mark that leads there, and links to its lines`() throws {
        let page = page(ReportRunTests.broken, on: try .samples("violations"))
        #expect(page.contains("<p class=\"verdict error\">1 error in 1 rule."))
        #expect(count("<article class=\"finding", in: page) == 1)
        #expect(page.contains("id=\"f1\""))
        #expect(count("<a class=\"mark\" href=\"#f1\">", in: page) == 1)
        #expect(page.contains("<a class=\"line\" href=\"#m1-4\">line 4</a> transaction 470"))
        #expect(page.contains("<a class=\"line\" href=\"#m1-2\">line 2</a> let transaction"))
        #expect(page.contains("<g id=\"m1-4\"><title>line 4: the app finished the transaction"))
        #expect(page.contains("\">2026-03-02 09:00:07\n"))
    }

    @Test func `every sample has a page with all its findings, and each link has its target`()
        throws
    {
        for folder in ["valid", "violations"] {
            let samples = try TestHost.samples(folder)
            for path in samples.files.keys.sorted() {
                let (host, checked) = (TestHost(), TestHost())
                host.files = samples.files
                checked.files = samples.files
                let status = Tool.run(["report", "--to=-", path], on: host)
                #expect(status == .well || status == .undetermined, "\(path): \(host.error)")
                _ = Tool.run(["check", "--format=json", path], on: checked)
                let page = host.output
                let findings = checked.output.split(separator: "\n").count {
                    $0.hasPrefix("{\"rule\"")
                }
                #expect(count("<article class=\"finding", in: page) == findings, "\(path)")
                #expect(count("<a class=\"mark\"", in: page) == findings, "\(path)")
                expectLinks(in: page, path)
            }
        }
    }

    /// Expects each link to lead to an element of the page, and no two elements to share a name.
    private func expectLinks(in page: String, _ path: String) {
        let names = page.matches(of: /\bid="([^"]*)"/).map { String($0.1) }
        #expect(!names.isEmpty, "\(path)")
        #expect(Set(names).count == names.count, "\(path)")
        let known = Set(names)
        for link in page.matches(of: /\bhref="([^"]*)"/).map({ String($0.1) }) {
            #expect(
                link.hasPrefix("#") && known.contains(String(link.dropFirst())), "\(path): \(link)")
        }
    }

    @Test func `the style and the script are those of the policy, and there is no other`() throws {
        let page = page(ReportRunTests.broken, on: try .samples("violations"))
        let policy = PagePolicy.text(style: EmbeddedFiles.style, script: EmbeddedFiles.script)
        #expect(page.contains(Markup.escape(policy)))
        #expect(count("<style", in: page) == 1)
        // The script, and the states as data.
        #expect(count("<script", in: page) == 2)
        #expect(count(" style=", in: page) == 0)
        #expect(count("://", in: page) == 0)
    }

    @Test func `a subscription shows its periods, its lapse and its grace period`() throws {
        let samples = try TestHost.samples("valid")
        let lapsed = page("events/valid/subscription-lapsed-and-resubscribed.jsonl", on: samples)
        #expect(lapsed.contains("<g class=\"bar lapse\"><title>no access from 2026-04-20 09:00:00"))
        #expect(count("<g class=\"bar period\"><title>", in: lapsed) == 3)
        let grace = page("events/valid/grace-period.jsonl", on: try .samples("valid"))
        #expect(grace.contains("<g class=\"bar grace\"><title>grace period from"))
    }

    @Test func `launches belong to the account that acts after them`() throws {
        let page = page(
            "events/valid/two-accounts-on-one-device.jsonl", on: try .samples("valid"))
        #expect(count("<article class=\"account\">", in: page) == 2)
        #expect(count(": the app was launched</title>", in: page) == 1)
    }

    @Test func `the example in docs is what the program prints`() throws {
        let path = "docs/read-after-the-lapse.jsonl"
        let host = try TestHost(ofPackage: path)
        let page = page(path, on: host)
        let file = Folders.root.appending(path: "docs/report.html")
        let example = try GoldenFile.text(at: file, for: page)
        #expect(example == page, "UPDATE_GOLDEN=1 swift test --filter ReportRunTests makes it")
        let picture = try Folders.bytes(of: Folders.root.appending(path: "docs/report.png"))
        #expect(picture.count < 200_000)
    }

    // MARK: States

    @Test func `the state after each line is what show prints`() throws {
        let path = "events/valid/subscription-lapsed-and-resubscribed.jsonl"
        let session = ToolSession(try TestHost.samples("valid"), rules: [])
        var run = ReportRun(session, ReportLimits(rules: []))
        try run.read(session.logs([path], isReadAgain: true))
        let history = try #require(run.model.histories.first)
        for table in history.tables {
            var rows: [Int] = []
            var splices = table.splices[...]
            for (index, step) in history.steps.enumerated() {
                while let splice = splices.first, splice.step == index {
                    rows.replaceSubrange(
                        splice.start..<splice.start + splice.removed, with: splice.inserted)
                    splices.removeFirst()
                }
                let shown = replay(
                    "show", table.name, "--until-seq=\(step.seq)", path,
                    on: try .samples("valid"))
                let texts = shown.output.split(separator: "\n").dropFirst()
                #expect(rows.count == texts.count, "\(table.name) at line \(step.line)")
                for (row, text) in zip(rows, texts) {
                    let cells = table.rows[row].filter { !$0.isEmpty }
                    let printed = text.split(separator: "\t").map {
                        $0 == "true" ? "yes" : $0 == "false" ? "no" : String($0)
                    }
                    #expect(cells.count == printed.count)
                    for (cell, word) in zip(cells, printed) where !word.hasSuffix("Z") {
                        #expect(cell == word, "\(table.name) at line \(step.line)")
                    }
                }
            }
        }
    }

    // MARK: Narrowing

    @Test func `an account, a rule, and the time narrow the page`() throws {
        let account = "b80e47d2-91c6-4f0b-a3de-5c1f7a2946e0"
        let path = "events/valid/two-accounts-on-one-device.jsonl"
        let one = page("--account=\(account)", path, on: try .samples("valid"))
        #expect(count("<article class=\"account\">", in: one) == 1)
        #expect(one.contains("Account \(account)"))
        #expect(one.contains("Only --account=\(account)"))
        let first = page("--accounts=1", path, on: try .samples("valid"))
        #expect(count("<article class=\"account\">", in: first) == 1)
        #expect(first.contains("1 more account isn&#39;t drawn"))
        let early = page("--until-seq=10", path, on: try .samples("valid"))
        #expect(early.contains("<dt>Lines</dt><dd>10</dd>"))
        let other = page(
            "--rule=delivered-once", ReportRunTests.broken, on: try .samples("violations"))
        #expect(other.contains("No rule is violated."))
        #expect(count("<article class=\"finding", in: other) == 0)
        let before = page(
            "--as-of=2026-03-01", "events/valid/subscription-lapsed-and-resubscribed.jsonl",
            on: try .samples("valid"))
        #expect(count("<g class=\"bar period\"><title>", in: before) == 1)
    }

    // MARK: Hostile logs

    @Test func `hostile names and texts stay text`() throws {
        let name = #"</script><img src=x onerror=alert(1)>"'&--><!--"#
        let long = String(repeating: "W", count: 255)
        let text = String(repeating: "<b>\u{1F600}", count: 500)
        var log: [UInt8] = []
        let at = Timestamp(milliseconds: 1_771_578_000_000)
        let facts: [Fact<Written>] = [
            .logOpened(LogOpened(schema: 1)), .logNoted(text: text),
            .queuePurchased(
                QueuePurchased(
                    transaction: TransactionID(long), product: ProductID(name), purchasedAt: at,
                    expiresAt: at.advanced(byMilliseconds: Timestamp.day))),
            .queueFinished(entry: .transaction(TransactionID(long))),
            .queuePurchased(
                QueuePurchased(
                    transaction: TransactionID("\u{202E}t"), product: ProductID(long),
                    purchasedAt: at)),
            .queueFinished(entry: .transaction(TransactionID("\u{202E}t"))),
        ]
        for (index, fact) in facts.enumerated() {
            let account = index < 4 ? name : "\u{2066}\(long.prefix(252))"
            let event = Event<Written>(
                seq: Int64(index + 1), at: at, account: index < 2 ? nil : AccountID(account), fact)
            try LineWriter.append(event, to: &log)
        }
        log += Array("<script>alert(2)</script>\n".utf8)
        let host = TestHost(bytes: ["</title><script>.jsonl": log])
        let status = Tool.run(["report", "--to=-", "</title><script>.jsonl"], on: host)
        #expect(status == .undetermined)
        let page = host.output
        #expect(count("<script", in: page) == 2)
        #expect(count("</script", in: page) == 2)
        #expect(count("<img", in: page) == 0)
        #expect(count("<title>", in: page) > 1)
        #expect(count("<b>", in: page) == 0)
        #expect(!page.unicodeScalars.contains { EscapedText.isUnsafe($0) && $0 != "\n" })
        expectLinks(in: page, "hostile")
    }

    // MARK: The file

    @Test func `the page goes to a file, and remarks to standard error`() throws {
        let host = try TestHost.samples("violations")
        let ran = replay("report", "--to=out.html", ReportRunTests.broken, on: host)
        #expect(ran.status == .well)
        #expect(ran.output == "")
        #expect(ran.error == "replay: out.html: 1 finding\n")
        let other = page(ReportRunTests.broken, on: try .samples("violations"))
        #expect(host.files["out.html"] == Array(other.utf8))
    }

    @Test func `the system's file is whole or not there, and nothing stays beside it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/page.html"
        let host = SystemHost()
        for text in ["a longer page", "page"] {
            try Array(text.utf8).withUnsafeBytes { try host.replace(path, with: $0) }
            #expect(try folder.read(path) == text)
        }
        // A folder can't be replaced, and the temporary file beside it is removed.
        let taken = folder.path + "/taken"
        try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
        #expect(throws: SystemProblem.self) {
            try Array("x".utf8).withUnsafeBytes { try host.replace(taken, with: $0) }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == ["page.html", "taken"])
    }

    @Test(arguments: ["./a.jsonl", "logs/../a.jsonl"])
    func `the log is never replaced, by whatever name`(_ name: String) throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        try FileManager.default.createDirectory(
            atPath: folder + "/logs", withIntermediateDirectories: true)
        try temporary.write(Logs.text(Logs.small), to: "\(folder)/a.jsonl")
        #expect(SystemHost().isSame("\(folder)/a.jsonl", "\(folder)/\(name)"))
        #expect(!SystemHost().isSame("\(folder)/a.jsonl", "\(folder)/b.jsonl"))
        #expect(!SystemHost().isSame(folder, folder))
    }

    // MARK: The words around the pictures

    @Test func `the legend explains what the pictures show, and nothing else`() throws {
        let broken = page(ReportRunTests.broken, on: try .samples("violations"))
        #expect(broken.contains("</svg> finding (links to its proof)"))
        #expect(broken.contains("</svg> saved or finished"))
        for absent in ["period", "grace period", "no access", "refunded or withdrawn"] {
            #expect(!broken.contains("</svg> \(absent)"), "\(absent)")
        }
        let upgrade = page("events/valid/upgrade.jsonl", on: try .samples("valid"))
        #expect(upgrade.contains("<g class=\"bar period ended\"><rect x=\"1\""))
        #expect(upgrade.contains("</svg> period that ended early"))
        #expect(!upgrade.contains("</svg> finding"))
    }

    @Test func `the verdict counts every rule`() throws {
        let page = page(ReportRunTests.broken, on: try .samples("violations"))
        let verdict = try #require(page.firstMatch(of: /<p class="verdict error">([^<]*)</)?.1)
        let numbers = verdict.matches(of: /(\d+) (rule|had|can't)/).compactMap { Int($0.1) }
        #expect(numbers.reduce(0, +) == RuleCatalogue.all.count, "\(verdict)")
    }

    // MARK: Who is affected

    @Test func `the accounts with findings say who loses money and what to look at`() throws {
        let page = page(ReportRunTests.broken, on: try .samples("violations"))
        #expect(page.contains("<h2 id=\"affected-h\">Who is affected</h2>"))
        #expect(page.contains("<td data-l=\"Account\"><a href=\"#a1\">6f1c2b1e"))
        #expect(page.contains("<td data-l=\"Who loses money\">the account<td"))
        #expect(page.contains("<td data-l=\"What to look at first\">the account paid and got"))
        let well = self.page(
            "events/valid/refund.jsonl", on: try .samples("valid"))
        #expect(!well.contains("Who is affected"))
    }

    @Test func `each sample's accounts count every finding once`() throws {
        let samples = try TestHost.samples("violations")
        for path in samples.files.keys.sorted() where path.hasSuffix(".jsonl") {
            let session = ToolSession(samples, rules: RuleCatalogue.all)
            var run = ReportRun(session, ReportLimits(rules: RuleCatalogue.all))
            try run.read(session.logs([path], isReadAgain: true))
            let sum = run.model.affected.reduce(0) { $0 + $1.findings }
            #expect(sum == run.model.findingCount, "\(path)")
            #expect(
                run.model.affected.first?.level == run.model.summary.first?.row.level, "\(path)")
        }
    }

    @Test func `a page about nothing doesn't say that all is well`() throws {
        let host = TestHost(["a.jsonl": "garbage\n"])
        #expect(Tool.run(["report", "--to=-", "a.jsonl"], on: host) == .undetermined)
        #expect(host.output.contains("<p class=\"verdict warning\">No event was read"))
        let torn = TestHost(["a.jsonl": Logs.text(Logs.small) + "{\n"])
        #expect(Tool.run(["report", "--to=-", "a.jsonl"], on: torn) == .undetermined)
        #expect(torn.output.contains(" 1 line was not understood, so more may be wrong."))
    }
}
