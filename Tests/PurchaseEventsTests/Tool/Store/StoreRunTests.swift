import Foundation
import PurchaseEvents
import PurchaseSimulation
import TestSupport
import Testing

@testable import replay

/// `replay generate --as=app-store`, and the way back with `replay import`.
struct StoreRunTests {
    /// A system with the folder `shop` of a simulated store.
    private func shop(_ arguments: String...) -> (host: TestHost, end: String) {
        let host = TestHost()
        let made = Tool.run(
            ["generate", "--as=app-store", "--to=shop"] + arguments, on: host)
        #expect(made == .well, "\(host.error)")
        let end = host.error.firstMatch(of: /as of ([0-9TZ:.-]+)\n/).map { String($0.1) }
        return (host, end ?? "")
    }

    /// The rows of a log, without what only the app knows.
    private func rows(
        _ projection: String, of log: String, asOf instant: String, account: String? = nil
    ) -> [String] {
        let host = TestHost(input: log)
        let options = ["--format=json", "--as-of=\(instant)"]
        let own = account.map { ["--account=\($0)"] } ?? []
        _ = Tool.run(["show", projection, "-"] + options + own, on: host)
        return host.output.split(separator: "\n").map { line in
            String(line).replacing(/,"granted":(true|false)/, with: "")
                .replacing(/,"quantity":\d+/, with: "")
        }
    }

    private func lines(_ path: String, _ host: TestHost) -> [String] {
        String(decoding: host.files[path] ?? [], as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    @Test(arguments: StoreDeliveries.allCases)
    func `the import of the folder gives the expected rows`(_ deliveries: StoreDeliveries) {
        let (host, end) = shop(
            "--seed=4", "--events=\(Effort.of(whole: 600, part: 300))", "--accounts=3",
            "--days=600", "--samples",
            "--deliveries=\(deliveries.rawValue)")
        let reading = TestHost(bytes: host.files)
        let read = replay("import", "app-store", "shop", "--root=shop/root.pem", on: reading)
        #expect(read.status == .well, "\(read.error)")
        #expect(!read.error.contains("invalid") && !read.error.contains("more follow"))
        for projection in ["entitlements", "subscriptions", "accounts"] {
            let expected = lines("shop/expected/\(projection).jsonl", host)
            #expect(!expected.isEmpty)
            #expect(rows(projection, of: read.output, asOf: end) == expected)
        }
    }

    @Test func `after each body come the rows of its account that are then right`() throws {
        let (host, _) = shop("--seed=7", "--events=400", "--accounts=2", "--days=500")
        let bodies = lines("shop/notifications.jsonl", host)
        let after = lines("shop/expected/after.jsonl", host)
        #expect(after.count == bodies.count && bodies.count > 20)
        for place in stride(from: 0, to: bodies.count, by: Effort.of(whole: 6, part: 30)) {
            let reading = TestHost(input: bodies[...place].joined(separator: "\n"))
            reading.files = host.files
            let read = replay("import", "app-store", "-", "--root=shop/root.pem", on: reading)
            let line = after[place]
            let instant = try #require(line.firstMatch(of: /"asOf":"([^"]+)"/)).1
            let account = line.firstMatch(of: /^[^\[]*"account":"([^"]+)"/).map { String($0.1) }
            guard let account else {
                // A family's or an organization's purchase: no row of it names an account.
                #expect(!line.contains("\"account\":"), "\(place): \(line)")
                continue
            }
            for projection in ["entitlements", "subscriptions", "accounts"] {
                let rows = rows(
                    projection, of: read.output, asOf: String(instant), account: account)
                #expect(
                    line.contains("\"\(projection)\":[\(rows.joined(separator: ","))]"),
                    "\(place): \(line)\n\(rows)")
            }
        }
    }

    @Test func `equal arguments give equal bytes, and each delivery has the same history`() {
        let arguments = ["--seed=9", "--events=200", "--samples"]
        let folders = [[], [], ["--deliveries=clean"]].map { more in
            let host = TestHost()
            _ = Tool.run(
                ["generate", "--as=app-store", "--to=shop/"] + arguments + more, on: host)
            return host.files
        }
        #expect(folders[0] == folders[1] && folders[0].count > 8)
        for name in ["root.pem", "log.jsonl", "expected/accounts.jsonl"] {
            #expect(folders[0]["shop/\(name)"] == folders[2]["shop/\(name)"])
        }
    }

    @Test func `a history of one customer comes in pages of 20`() {
        let (host, _) = shop("--seed=2", "--events=1500", "--accounts=1", "--deliveries=clean")
        let pages = host.files.filter { $0.key.hasPrefix("shop/history/") }
        #expect(pages.count > 2)
        let last = String(
            decoding: pages.first { $0.key.contains(".\(pages.count).json") }?.value ?? [],
            as: UTF8.self)
        #expect(last.contains(#""hasMore":false"#))
        let first = String(
            decoding: pages.first { $0.key.contains(".1.json") }?.value ?? [], as: UTF8.self)
        #expect(first.contains(#""hasMore":true"#))
        #expect(first.components(separatedBy: "eyJ").count > 20)
    }

    @Test func `samples are stated as samples`() {
        let (host, _) = shop("--events=60", "--samples")
        let samples = lines("shop/deliveries.jsonl", host).filter { $0.contains("\"sample\":true") }
        for type in ["EXTERNAL_PURCHASE_TOKEN", "RESCIND_CONSENT", "METADATA_UPDATE", "TEST"] {
            #expect(samples.contains { $0.contains("\"type\":\"\(type)\"") })
        }
    }

    @Test(arguments: [0, 1_000, 20_000, 70_000])
    func `on a full disk nothing stays`(_ room: Int) {
        let host = TestHost()
        host.room = room
        let made = replay("generate", "--as=app-store", "--to=shop", "--events=100", on: host)
        #expect(made.status == .ioFailed && made.output.isEmpty)
        #expect(made.error.contains("cannot write `shop/"), "\(made.error)")
        #expect(host.files.isEmpty && host.folders.isEmpty)
    }

    @Test func `a folder that can't be named is removed`() {
        let host = TestHost()
        host.unreadable = ["shop"]
        let made = replay("generate", "--as=app-store", "--to=shop", "--events=50", on: host)
        #expect(made.status == .ioFailed)
        #expect(made.error.contains("cannot write `shop`"), "\(made.error)")
        #expect(host.files.isEmpty && host.folders.isEmpty)
    }

    @Test func `the folder appears on a real disk, also in the place of an empty one`() throws {
        let temporary = try TemporaryFolder()
        let parent = temporary.path
        try FileManager.default.createDirectory(
            atPath: "\(parent)/shop", withIntermediateDirectories: true)
        let host = SystemHost()
        let folder = try NewFolder("\(parent)/shop", host)
        try folder.add("history/1.json", "{}\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(parent)/shop") == [])
        try folder.finish()
        folder.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == ["shop"])
        #expect(FileManager.default.contents(atPath: "\(parent)/shop/history/1.json")?.count == 3)
        let another = try NewFolder("\(parent)/other", host)
        try another.add("history/1.json", "{}\n")
        another.discard()
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == ["shop"])
        #expect(throws: ToolError.self) { try NewFolder("\(parent)/shop", host) }
    }

    @Test func `page 2 comes before page 10`() {
        let names = ["a.10.json", "a.2.json", "a.02.json", "b", "a.1.json", "a", "a.1x"]
        #expect(
            names.sorted(by: FolderOrder.precedes)
                == ["a", "a.1.json", "a.1x", "a.02.json", "a.2.json", "a.10.json", "b"])
    }
}
