import Foundation
import Testing

@testable import replay

/// `replay consumption`: what the App Store gets, and what it would refuse.
@Suite struct ConsumptionCommandTests {
    /// The bodies of every purchase of a consumable in the samples, by hand: the percentage, the
    /// delivery status and the preference.
    private static let samples: [(file: String, transaction: String, body: String)] = [
        ("valid/coins-refunded-after-use", "4700019611380472", "60000 DELIVERED GRANT_PRORATED"),
        ("valid/consumable-bought", "4700019332270802", "0 DELIVERED -"),
        ("valid/crash-before-finish", "4700019635073135", "0 DELIVERED -"),
        ("valid/failed-payment-presented-again", "4700019825063657", "0 DELIVERED -"),
        ("valid/old-renewals-arrive-together", "4700019723431918", "0 DELIVERED -"),
        ("valid/payments-restricted-then-allowed", "4700019954412334", "0 DELIVERED -"),
        ("valid/quantity-consumed-in-parts", "4700019250076871", "100000 DELIVERED DECLINE"),
        ("valid/receipt-refreshed", "4700019055718525", "0 DELIVERED -"),
        ("valid/refund-before-delivery", "4700019420865128", "0 UNDELIVERED_OTHER GRANT_FULL"),
        ("valid/same-payment-added-twice", "4700019302152594", "100000 DELIVERED DECLINE"),
        ("valid/same-payment-added-twice", "4700019934280164", "100000 DELIVERED DECLINE"),
        ("valid/torn-tail-recovered", "4700019635208716", "0 DELIVERED -"),
        ("valid/two-accounts-on-one-device", "4700019273366803", "0 DELIVERED -"),
        ("valid/xcode-test-purchase", "0", "0 DELIVERED -"),
        ("violations/delivered-once", "4700019789316068", "0 DELIVERED -"),
        ("violations/delivered-quantity", "4700019061002158", "0 DELIVERED -"),
        (
            "violations/persisted-where-it-fits", "4700019741063249",
            "0 UNDELIVERED_OTHER GRANT_FULL"
        ),
        ("regressions/delivered-once", "4700018267239107", "0 DELIVERED -"),
        (
            "regressions/paid-and-has-nothing-has-what-was-refunded", "2000000000000102",
            "0 UNDELIVERED_OTHER GRANT_FULL"
        ),
    ]

    private static func log(_ file: String) throws -> TestHost {
        let host = TestHost()
        host.files["log"] = try Folders.bytes(of: Folders.events.appending(path: "\(file).jsonl"))
        return host
    }

    @Test func `the answer for each consumable of the samples`() throws {
        for (file, transaction, expected) in ConsumptionCommandTests.samples {
            let ran = replay(
                "consumption", transaction, "--consented", "--format=json", "log",
                on: try ConsumptionCommandTests.log(file))
            #expect(ran.status == .well, "\(file): \(ran.error)")
            #expect(try brief(ran.output) == expected, "\(file) \(transaction)")
        }
    }

    /// The table above is whole.
    @Test func `each purchase of a consumable in the samples is in the table`() throws {
        let known = Set(ConsumptionCommandTests.samples.map { "\($0.file) \($0.transaction)" })
        for folder in ["valid", "violations", "regressions"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                let showing = try Showing(Folders.bytes(of: file))
                let facts = try showing.fold().facts
                let name = file.deletingPathExtension().lastPathComponent
                for id in facts.knownTransactions
                where facts.kind(of: id) == .consumable && facts[id].attestsPeriod {
                    let place = "\(folder)/\(name) \(facts.names.text(of: id))"
                    #expect(known.contains(place), "\(place)")
                }
            }
        }
    }

    /// The percentage, the status and the preference of a body; `-` for what is left out.
    private func brief(_ json: String) throws -> String {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["customerConsented"] as? Bool == true)
        #expect(object["sampleContentProvided"] as? Bool != nil)
        #expect(Set(object.keys).isSubset(of: Self.keys))
        let words = [
            (object["consumptionPercentage"] as? Int).map { String($0) },
            object["deliveryStatus"] as? String, object["refundPreference"] as? String,
        ]
        return words.map { $0 ?? "-" }.joined(separator: " ")
    }

    private static let keys: Set = [
        "customerConsented", "consumptionPercentage", "deliveryStatus", "refundPreference",
        "sampleContentProvided",
    ]

    /// Asks about the transaction `t` of a history in which coins are a consumable.
    private func ask(_ history: String, _ options: String...) throws -> String {
        let ran = run(history, options)
        #expect(ran.status == .well, "\(ran.error)")
        return try brief(ran.output)
    }

    private func run(_ history: String, _ options: [String]) -> Ran {
        let listed = """
            app.launched
            catalog.listed product=coins kind=consumable
            catalog.listed product=level kind=nonConsumable
            catalog.listed product=news kind=autoRenewable

            """
        let host = TestHost(["log": Logs.text(Timeline(listed + history).lines)])
        let arguments = ["consumption", "t", "--consented", "--format=json"] + options + ["log"]
        let status = Tool.run(arguments, on: host)
        return Ran(status: status, output: host.output, error: host.error)
    }

    private static let coins = "queue.purchased transaction=t product=coins quantity=4 account=a\n"
    private static let delivered = coins + "delivery.delivered transaction=t account=a\n"
    private static let level = "queue.purchased transaction=t product=level account=a\n"

    @Test func `why a purchase is undelivered, the gravest reason first`() throws {
        let cases = [
            ("", "UNDELIVERED_OTHER GRANT_FULL"),
            ("delivery.delivered transaction=t quantity=3", "UNDELIVERED_WRONG_ITEM -"),
            (
                "delivery.download transaction=t download=d state=failed",
                "UNDELIVERED_QUALITY_ISSUE GRANT_FULL"
            ),
            (
                """
                delivery.download transaction=t download=d state=failed
                delivery.download transaction=t download=d state=finished
                """, "UNDELIVERED_OTHER GRANT_FULL"
            ),
            (
                """
                delivery.download transaction=t download=d state=failed
                delivery.validated transaction=t outcome=unreachable
                """, "UNDELIVERED_SERVER_OUTAGE GRANT_FULL"
            ),
            (
                """
                delivery.validated transaction=t outcome=unreachable
                delivery.validated transaction=t outcome=valid
                """, "UNDELIVERED_OTHER GRANT_FULL"
            ),
            (
                """
                delivery.validated transaction=t outcome=unreachable
                delivery.delivered transaction=t quantity=3
                """, "UNDELIVERED_WRONG_ITEM -"
            ),
            ("delivery.delivered transaction=t account=b", "UNDELIVERED_OTHER GRANT_FULL"),
            (
                "delivery.delivered transaction=t\ndelivery.withdrawn transaction=t reason=other",
                "UNDELIVERED_OTHER GRANT_FULL"
            ),
            (
                """
                delivery.delivered transaction=t
                queue.purchased transaction=t product=level account=a signedAt=2027-01-01
                """, "UNDELIVERED_WRONG_ITEM GRANT_FULL"
            ),
        ]
        for (history, expected) in cases {
            let answer = try ask(Self.coins + history)
            #expect(answer.hasSuffix(" \(expected)"), "\(history): \(answer)")
            #expect(answer.hasPrefix("0 ") || answer.hasPrefix("- "), "\(history): \(answer)")
        }
    }

    @Test func `deliveries count in parts, by restores, and past the end of a period`() throws {
        #expect(
            try ask(
                Self.coins + """
                    delivery.delivered transaction=t quantity=3
                    delivery.delivered transaction=t
                    """) == "0 DELIVERED -")
        #expect(
            try ask(
                Self.level + """
                    queue.restored transaction=r original=t product=level account=a
                    delivery.delivered transaction=r
                    """) == "- DELIVERED -")
        #expect(
            try ask(
                """
                renewal.started transaction=t original=t product=news expiresAt=2026-02-01
                delivery.delivered transaction=t
                delivery.withdrawn transaction=t reason=expired
                """) == "- DELIVERED -")
    }

    @Test func `what was delivered first is used first`() throws {
        let earlier = """
            queue.purchased transaction=s product=coins quantity=4 account=a
            delivery.delivered transaction=s

            """
        func used(_ units: Int) throws -> String {
            try ask(
                earlier + Self.delivered
                    + "delivery.consumed product=coins quantity=\(units) account=a")
        }
        #expect(try used(3) == "0 DELIVERED -")
        #expect(try used(5) == "25000 DELIVERED GRANT_PRORATED")
        #expect(try used(8) == "100000 DELIVERED DECLINE")
        #expect(try used(80) == "100000 DELIVERED DECLINE")
    }

    @Test func `a share is rounded down, but not to nothing`() throws {
        func used(_ units: Int, of all: Int) throws -> String {
            try ask(
                """
                queue.purchased transaction=t product=coins quantity=\(all) account=a
                delivery.delivered transaction=t
                delivery.consumed product=coins quantity=\(units) account=a
                """)
        }
        #expect(try used(1, of: 3) == "33333 DELIVERED GRANT_PRORATED")
        #expect(try used(1, of: 300_000) == "1 DELIVERED GRANT_PRORATED")
        #expect(try used(299_999, of: 300_000) == "99999 DELIVERED GRANT_PRORATED")
    }

    @Test func `options say what the log can't`() throws {
        let level = Self.level + "delivery.delivered transaction=t"
        #expect(try ask(level) == "- DELIVERED -")
        #expect(try ask(level, "--consumed=50000") == "50000 DELIVERED GRANT_PRORATED")
        #expect(try ask(level, "--consumed=100000") == "100000 DELIVERED DECLINE")
        #expect(try ask(level, "--prefer=GRANT_FULL") == "- DELIVERED GRANT_FULL")
        #expect(
            try ask(level, "--consumed=1000", "--prefer=DECLINE") == "1000 DELIVERED DECLINE")
        #expect(try ask(Self.delivered, "--consumed=25000") == "25000 DELIVERED GRANT_PRORATED")
        #expect(try ask(Self.coins, "--prefer=DECLINE") == "0 UNDELIVERED_OTHER DECLINE")
        let news = """
            renewal.started transaction=t original=t product=news expiresAt=2027-01-01
            delivery.delivered transaction=t
            """
        #expect(try ask(news, "--prefer=GRANT_PRORATED") == "- DELIVERED GRANT_PRORATED")
        let shown = run(level, ["--sample-content"])
        #expect(shown.output.contains(#""sampleContentProvided":true}"#))
        #expect(run(level, []).output.contains(#""sampleContentProvided":false}"#))
        #expect(run(level, ["--consumed=50"]).error.contains("50 (0.05 %): 100000 is all"))
    }

    @Test func `what the App Store refuses is refused`() {
        let level = Self.level + "delivery.delivered transaction=t"
        let news = "renewal.started transaction=t original=t product=news expiresAt=2027-01-01"
        let cases = [
            (
                level, ["--prefer=GRANT_PRORATED"],
                "needs a consumption percentage: add --consumed=N"
            ),
            (
                level, ["--prefer=GRANT_PRORATED", "--consumed=0"],
                "above 0 and below 100000, seen 0"
            ),
            (Self.coins, ["--prefer=GRANT_PRORATED"], "the log says UNDELIVERED_OTHER"),
            (Self.coins, ["--consumed=10000"], "takes only 0 for a purchase that wasn't delivered"),
            (news, ["--consumed=10000"], "doesn't go with an auto-renewable subscription"),
            (level, ["--consumed=200000"], "expected a whole number from 0 to 100000"),
            (level, ["--prefer=GRANT_PART"], "did you mean `--prefer=GRANT_FULL`?"),
        ]
        for (history, options, words) in cases {
            let ran = run(history, options)
            #expect(ran.status == .usage, "\(options)")
            #expect(ran.output.isEmpty)
            #expect(ran.error.contains(words), "\(options): \(ran.error)")
        }
    }

    @Test func `without consent there is no answer`() throws {
        let host = try ConsumptionCommandTests.log("valid/consumable-bought")
        let ran = replay("consumption", "4700019332270802", "log", on: host)
        #expect(ran.status == .usage)
        #expect(ran.output.isEmpty)
        #expect(ran.error.contains("takes no answer without the customer's consent"))
    }

    @Test func `a transaction that no line names is an error with the nearest one`() throws {
        func ask(_ key: String) throws -> Ran {
            replay(
                "consumption", key, "--consented", "log",
                on: try ConsumptionCommandTests.log("valid/quantity-consumed-in-parts"))
        }
        for (key, words) in [
            ("4700019250076817", "did you mean `4700019250076871`?"),
            ("470001925", "did you mean `4700019250076871`?"),
            ("payment-1", "it is a payment, which bought the transaction `4700019250076871`"),
        ] {
            let ran = try ask(key)
            #expect(ran.status == .noInput)
            #expect(ran.error.contains("names the transaction `\(key)`: \(words)"), "\(ran.error)")
        }
        let other = try ask("1")
        #expect(other.status == .noInput)
        #expect(!other.error.contains("did you mean"))
    }

    @Test func `a log without anything of the app says nothing about deliveries`() {
        let ran = replay(
            "consumption", "t", "--consented", "log",
            on: TestHost([
                "log": Logs.text(
                    Timeline(
                        """
                        receipt.listed transaction=t product=coins kind=consumable
                        cancellation.requested transaction=t
                        """
                    ).lines)
            ]))
        #expect(ran.status == .undetermined)
        #expect(ran.output.isEmpty)
        #expect(ran.error.contains("has nothing that the app or its server recorded"))
    }

    @Test func `the text names the lines that each value rests on`() throws {
        let ran = replay(
            "consumption", "4700019611380472", "--consented", "--until-seq=14", "log",
            on: try ConsumptionCommandTests.log("valid/coins-refunded-after-use"))
        #expect(ran.status == .well)
        try expectGolden(ran.output, "Tool/consumption.txt")
    }

    @Test func `many lines are counted, and the latest are shown`() throws {
        let uses = String(repeating: "delivery.consumed product=coins account=a\n", count: 9)
        let host = TestHost([
            "log": Logs.text(
                Timeline(
                    """
                    catalog.listed product=coins kind=consumable
                    queue.purchased transaction=t product=coins quantity=10 account=a
                    delivery.delivered transaction=t

                    """ + uses
                ).lines)
        ])
        let ran = replay("consumption", "t", "--consented", "log", on: host)
        #expect(ran.output.contains("4 earlier lines, and\n"))
        #expect(ran.output.contains("9 of 10 delivered units were consumed"))
        #expect(ran.lines.count { $0.contains("the user used up 1 of coins") } == 5)
    }
}
