import PurchaseEvents
import Testing

@testable import PurchaseImport

/// The remarks on records that repeat others or have no date.
struct LogAssemblerTests {
    private func source(
        _ line: Int, _ identity: String, _ content: String, dated: Bool = true
    ) -> StatedSource {
        StatedSource(
            identity: identity, content: content,
            place: ImportPlace(file: "a", line: line, byte: 1, path: ""),
            date: dated ? Timestamp(milliseconds: 1_771_578_000_000) : nil,
            facts: [StatedFact(fact: .logNoted(text: content))])
    }

    private func remarks(on sources: [StatedSource]) throws -> [String] {
        var sorter = SourceSorter()
        for (number, source) in sources.enumerated() {
            try sorter.add(PackedSource(source, file: number % 2).bytes[...], date: source.date)
        }
        var assembler = LogAssembler(
            options: ImportOptions(writer: "test"), files: ["a", "b"], write: { _ in })
        try assembler.assemble(&sorter, app: nil)
        return assembler.remarks.remarks.map(\.description)
    }

    @Test func `each remark names its own record and the earlier one`() throws {
        let seen = try remarks(on: [
            source(1, "x", "one"), source(2, "y", "two"), source(3, "x", "one"),
            source(4, "y", "other"),
        ])
        #expect(
            seen == [
                "a:3: note: the same content as at a:1; its facts are recorded once",
                "b:4: note: differs from b:2, which has the same identifier; recorded both",
            ])
    }

    @Test func `a content is known again after another one with the same identifier`() throws {
        let seen = try remarks(on: [
            source(1, "x", "one"), source(2, "x", "two"), source(3, "x", "one"),
            source(4, "x", "two"), source(5, "x", "three"), source(6, "x", "one"),
        ])
        #expect(
            seen == [
                "b:2: note: differs from a:1, which has the same identifier; recorded both",
                "a:3: note: the same content as at a:1; its facts are recorded once",
                "b:4: note: the same content as at b:2; its facts are recorded once",
                "a:5: note: differs from b:2, which has the same identifier; recorded both",
                "b:6: note: the same content as at a:1; its facts are recorded once",
            ])
    }

    @Test func `a log without a date says so once`() throws {
        let seen = try remarks(on: [
            source(1, "x", "one", dated: false), source(2, "y", "two", dated: false),
        ])
        #expect(
            seen == [
                "a:1: note: no date found to record these rows under: used 1970; "
                    + "pass --recorded-at"
            ])
    }
}
