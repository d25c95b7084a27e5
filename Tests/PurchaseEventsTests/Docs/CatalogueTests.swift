import Foundation
import Testing

/// The DocC catalogues of the libraries: each groups every symbol, and its code is compiled.
struct CatalogueTests {
    /// The pages, by their paths from the package's root.
    private static let pages: [String] = {
        let root = Folders.root.appending(path: "Sources").path(percentEncoded: false)
        let all = FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []
        return all.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.sorted()
            .map { "Sources/\($0)" }
    }()

    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: Folders.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The Swift code of a page, a block each.
    private static func snippets(_ page: String) throws -> [String] {
        var blocks: [[Substring]] = []
        var isCode = false
        for line in try lines(page) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
                if isCode { blocks.append([]) }
            } else if isCode {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks.map(unindented)
    }

    /// Lines without what they are indented by.
    private static func unindented(_ lines: some Sequence<Substring>) -> String {
        lines.map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }

    @Test func `every library has a catalogue, and there are three articles`() {
        let own = PublicSymbolTests.modules.map { "Sources/\($0)/\($0).docc/\($0).md" }
        #expect(Set(own).isSubset(of: CatalogueTests.pages))
        #expect(CatalogueTests.pages.count == own.count + 3)
    }

    @Test(arguments: PublicSymbolTests.modules)
    func `a catalogue has each symbol in one group`(_ module: String) throws {
        let listed = try CatalogueTests.lines("Sources/\(module)/\(module).docc/\(module).md")
            .filter { $0.hasPrefix("- ``") && $0.hasSuffix("``") }
            .map { String($0.dropFirst(4).dropLast(2)) }
        // PublicSymbolTests holds the golden file against the sources.
        let symbols = try CatalogueTests.lines(
            "Tests/PurchaseEventsTests/Golden/api/\(module).txt")
        let declared = symbols.compactMap {
            $0.firstMatch(
                of: /^(?:@?[A-Za-z]+ )*(?:struct|class|actor|enum|protocol|typealias) (\w+)/
            )
            .map { String($0.1) }
        }
        #expect(declared.count > 5)
        #expect(listed.filter { !$0.contains("(") }.sorted() == declared.sorted())
    }

    @Test(arguments: pages)
    func `the code of a page is compiled`(_ page: String) throws {
        for snippet in try CatalogueTests.snippets(page) {
            #expect(
                CatalogueTests.compiled.contains { $0.contains("\n\(snippet)\n") },
                "\(page): no file that is compiled has\n\(snippet)")
        }
    }

    /// The files that the tests or the continuous integration compile, without their indentation.
    private static let compiled: [String] =
        (SourceFile.below("Tests/RecorderTests/Articles")
        + SourceFile.below("Tests/PurchaseEventsTests/Docs")
        + ["main", "ThreeRefundsNoCoins"].compactMap {
            SourceFile(path: "Examples/OwnRules/Sources/own-replay/\($0).swift")
        }).map { unindented($0.lines.map { $0[...] }) }

    @Test func `the articles show code`() throws {
        #expect(CatalogueTests.compiled.count > 5)
        let all = try CatalogueTests.pages.flatMap { try CatalogueTests.snippets($0) }
        #expect(all.count >= 10)
    }
}
