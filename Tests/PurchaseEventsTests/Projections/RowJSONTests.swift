import PurchaseEvents
import PurchaseProjections
import Testing

/// Rows as JSON, and the projection catalogue.
struct RowJSONTests {
    @Test func `text that could control a terminal is escaped`() {
        let text =
            "a\"\\\u{8}\t\n\u{C}\r\u{0}\u{1B}\u{7F}\u{85}\u{61C}\u{200E}\u{2028}\u{202E}\u{2069}é"
        #expect(
            RowJSON.text(of: .text(text))
                == #""a\"\\\b\t\n\f\r\u0000\u001b\u007f\u0085\u061c\u200e\u2028\u202e\u2069é""#)
    }

    @Test func `values are written without spaces`() {
        let fields = [
            RowField(
                "list", .list([.integer(-1), .flag(true), .time(Timestamp(milliseconds: 0))])),
            RowField("ob\nject", .object([RowField("EUR", .integer(.max))])),
            RowField("none", .list([])),
        ]
        #expect(
            RowJSON.text(of: fields)
                == #"{"list":[-1,true,"1970-01-01T00:00:00.000Z"],"#
                + #""ob\nject":{"EUR":9223372036854775807},"none":[]}"#)
    }

    @Test func `rows are written as lines like their fields`() throws {
        for folder in ["valid", "violations"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                let show = try Showing(Folders.bytes(of: file)).fold()
                for projection in ProjectionCatalogue.all {
                    let rows = show.rows(of: projection)
                    var lines = RowLines(heading: [("log", "a\"b"), ("show", projection.name)])
                    show.appendRows(of: projection, to: &lines)
                    let heading = [
                        RowField("log", .text("a\"b")), RowField("show", .text(projection.name)),
                    ]
                    let expected = rows.map { RowJSON.text(of: heading + $0.fields) + "\n" }
                    #expect(lines.text == expected.joined())
                    for account in Set(rows.map(\.account)) {
                        var own = RowLines()
                        show.appendRows(of: projection, account: account, to: &own)
                        let wanted = rows.filter { account == nil || $0.account == account }
                            .map { RowJSON.text(of: $0.fields) + "\n" }
                        #expect(own.text == wanted.joined())
                    }
                }
            }
        }
    }

    @Test func `the catalogue names each projection of the tool`() {
        #expect(
            ProjectionCatalogue.all.map { $0.name } == [
                "entitlements", "pending", "restores", "receipt", "subscriptions", "accounts",
                "balances",
            ])
        #expect(ProjectionCatalogue.all.allSatisfy { ProjectionCatalogue.find($0.name) == $0 })
        #expect(ProjectionCatalogue.find("nothing") == nil)
    }

    @Test func `giving the greatest instant before folding changes nothing`() throws {
        for file in Folders.files(in: Folders.events.appending(path: "valid"), "jsonl") {
            let showing = try Showing(Folders.bytes(of: file))
            let instant = try showing.fold().asOf.text
            for projection in ProjectionCatalogue.all {
                let rows = try showing.answer(projection.name)
                #expect(try showing.answer("\(projection.name) asOf=\(instant)") == rows)
            }
        }
    }
}
