import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// Logs in which many lines meet many others don't give a finding for each pair.
struct HostileShapeTests {
    /// A log with a number of entries and the same number of launches, restores or the like.
    struct Shape: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let rows: @Sendable (Int) -> [String]

        init(_ name: String, _ rows: @escaping @Sendable (Int) -> [String]) {
            (testDescription, self.rows) = (name, rows)
        }
    }

    private static let listed = "receipt.listed kind=nonConsumable account=a"
    private static let restore = "restore.requested by=user\nrestore.completed account=a"

    private static let shapes = [
        Shape("launches × open purchases") { count in
            (0..<count).map { "queue.purchased transaction=t\($0)" }
                + (0..<count).map { _ in "app.launched\nqueue.purchasing payment=p" }
        },
        Shape("launches × failed payments of two devices") { count in
            (0..<count).map { "queue.failed payment=p\($0) error=network device=d\($0 % 2)" }
                + (0..<count).map {
                    "app.launched device=d\($0 % 2)\nqueue.purchasing payment=p device=d\($0 % 2)"
                }
        },
        Shape("restores × products") { count in
            (0..<count).map { "\(listed) transaction=t\($0) product=s\($0)" }
                + (0..<count).map { _ in restore }
        },
        Shape("restores × selections") { count in
            (0..<count).map { "\(listed) transaction=t\($0) product=s\($0)" }
                + ["restore.requested by=user"]
                + (0..<count).map { "restore.selected product=s\($0)" }
                + (0..<count).map { _ in "restore.completed account=a" }
        },
        Shape("launches × delivered products") { count in
            (0..<count).map {
                "\(listed) transaction=t\($0) product=s\($0)\n"
                    + "delivery.delivered transaction=t\($0)"
            } + (0..<count).map { _ in "app.launched\ndelivery.unlocked product=s0 account=a" }
        },
        Shape("finishes × open downloads") { count in
            ["queue.purchased transaction=t"]
                + (0..<count).map { "delivery.download transaction=t download=d\($0) state=active" }
                + (0..<count).map { _ in
                    "queue.purchased transaction=t\nqueue.finished transaction=t"
                }
        },
        Shape("snapshots × rows") { count in
            (0..<count).flatMap { number in
                ["receipt.refreshed receipt=r\(number) account=a"]
                    + (0..<8).map { "\(listed) receipt=r\(number) transaction=t\(number + $0 * 3)" }
            }
        },
        Shape("repeated ids of transactions with many products") { count in
            (0..<count).map { "queue.purchased id=x transaction=t product=s\($0)" }
        },
        Shape("links of plain accounts") { count in
            (0..<count).map { "account.linked original=t\($0) account=ann\($0) from=bob\($0)" }
        },
        Shape("charges of one request for other products") { count in
            ["payment.requested payment=p product=s"]
                + (0..<count).map { "queue.purchased transaction=t\($0) payment=p product=x" }
        },
        Shape("catalogue requests × launches") { count in
            (0..<count).map { "catalog.requested product=s\($0)" }
                + (0..<count).map { _ in "app.launched" }
        },
    ]

    @Test(arguments: shapes)
    func `no rule has more findings than the log has lines`(_ shape: Shape) throws {
        let timeline = Timeline(shape.rows(30).joined(separator: "\n"))
        for (rule, report) in try check(timeline.bytes) {
            #expect(report.findings.count <= timeline.lines.count, "\(rule.id)")
            let notes = report.findings.reduce(0) { $0 + $1.notes.count }
            #expect(notes <= 12 * timeline.lines.count, "\(rule.id)")
        }
    }
}
