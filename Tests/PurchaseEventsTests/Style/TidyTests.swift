import Foundation
import PurchaseEvents
import PurchaseProjections
import Testing

/// The style guide, as far as tests can check it.
struct TidyTests {
    /// The modules of the package, each with those that it may import.
    private static let modules: [String: Set<String>] = [
        "PurchaseEvents": [],
        "PurchaseProjections": ["PurchaseEvents"],
        "PurchaseSignatures": ["PurchaseEvents"],
        "PurchaseImport": ["PurchaseEvents", "PurchaseSignatures"],
        "PurchaseSimulation": ["PurchaseEvents", "PurchaseSignatures"],
        "PurchaseIncidents": ["PurchaseEvents", "PurchaseProjections"],
        "PurchaseRecorder": ["PurchaseEvents", "PurchaseProjections", "PurchaseImport"],
        "replay": [
            "PurchaseEvents", "PurchaseProjections", "PurchaseSignatures", "PurchaseImport",
            "PurchaseSimulation", "PurchaseIncidents",
        ],
    ]
    private static let libraries = modules.keys.filter { $0 != "replay" }.sorted()
        .flatMap { SourceFile.below("Sources/\($0)") }
    private static let rules = SourceFile.below("Sources/PurchaseProjections/Rules")

    private func expectNone(
        _ places: [String], _ advice: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            places.isEmpty, "\(advice.rawValue):\n\(places.joined(separator: "\n"))",
            sourceLocation: sourceLocation)
    }

    /// An exclamation mark after an expression; `!=` has a space before it.
    private static let forceUnwrap = #"[\w)\]>]!(?:[.,)\]\[(?:]| *$| +[^= ])"#

    // MARK: Layout

    @Test func `the sources are found`() {
        let folders = SourceFile.below("Sources").map { $0.path.split(separator: "/")[1] }
        #expect(Set(folders.map(String.init)) == Set(TidyTests.modules.keys))
        #expect(SourceFile.all.contains { $0.name == "TidyTests" })
    }

    @Test func `the text of a file is told from its remarks and quotations`() {
        let file = SourceFile(
            path: "Sources/A/One.swift",
            text: """
                import Foundation  // import Testing
                public struct One: Hashable {
                    func two(_ a: [Int?]) -> Int {
                        let b = "a[0]! \\" a!", c = a[0]!
                        return b! // c!
                    }
                    init?(d: Bool) { if d != !d, a! != b { return } }
                }

                """)
        #expect(file.name == "One")
        #expect(file.imports == ["Foundation"])
        #expect(file.types == ["One"])
        #expect(file.functions.map(\.line) == [3])
        #expect(file.functions.map(\.count) == [4])
        let lines = file.places(of: TidyTests.forceUnwrap).map { $0.split(separator: ":")[1] }
        #expect(lines == ["4", "5", "7"])
    }

    @Test func `no line is longer than 100 columns`() {
        let written = SourceFile.all.filter { $0.lines.first != "// swift-format-ignore-file" }
        let places = written.flatMap { file in
            file.lines.enumerated().filter { $0.element.count > 100 }
                .filter { !file.isHistory(at: $0.offset) }
                .map { "\(file.path):\($0.offset + 1): \($0.element.count) columns" }
        }
        expectNone(places, "break the line")
    }

    @Test func `no function has more than 70 lines`() {
        let functions = SourceFile.all.flatMap { file in
            file.functions.map { (count: $0.count, place: "\(file.path):\($0.line)") }
        }
        let places = functions.filter { $0.count > 70 }.map { "\($0.place): \($0.count) lines" }
        expectNone(places, "give a part of it a name of its own")
        let missed = SourceFile.all.flatMap { file in
            let found = Set(file.functions.map(\.line))
            return file.matches(of: #"^ *(?:[@\w()]+ )*func [^ ][^{\n]*\{$"#)
                .filter { !found.contains($0.line) }.map { "\(file.path):\($0.line)" }
        }
        expectNone(missed, "a function that this test doesn't see")
    }

    @Test func `no file has more than 400 lines`() {
        let places = SourceFile.all.filter { $0.lines.count > 401 }.map {
            "\($0.path): \($0.lines.count - 1) lines"
        }
        expectNone(places, "give one of its ideas a file of its own")
    }

    @Test func `lines are indented by spaces and end where their text does`() {
        let places = SourceFile.all.flatMap { file in
            file.lines.enumerated().filter {
                $0.element.contains("\t") || $0.element.last?.isWhitespace == true
            }.map { "\(file.path):\($0.offset + 1)" }
        }
        expectNone(places, "no tabs, nothing behind the text")
        expectNone(
            SourceFile.all.filter { $0.lines.last != "" || $0.lines.dropLast().last == "" }
                .map(\.path), "one end of line at the end")
    }

    @Test func `no folder has more than 15 files, except the catalogue of tests of rules`() {
        let folders = Dictionary(
            grouping: SourceFile.all,
            by: { $0.path.split(separator: "/").dropLast().joined(separator: "/") })
        let crowded = folders.filter {
            $0.value.count > 15 && $0.key != "Tests/PurchaseEventsTests/Rules"
        }
        expectNone(
            crowded.map { "\($0.key): \($0.value.count) files" },
            "give a part of the files a folder of their own")
    }

    @Test func `no two files of a module have one name`() {
        let modules = Dictionary(
            grouping: SourceFile.all, by: { $0.path.split(separator: "/").prefix(2) })
        let places = modules.values.flatMap { files in
            Dictionary(grouping: files, by: \.name).values.filter { $0.count > 1 }
                .map { $0.map(\.path).joined(separator: " and ") }
        }
        expectNone(places, "name each after its idea")
    }

    // MARK: Closed lists

    @Test func `every case is written out in the vocabulary, the machine and the rules`() {
        let folders = [
            "Sources/PurchaseEvents/Vocabulary", "Sources/PurchaseEvents/Machine",
            "Sources/PurchaseProjections/Rules",
        ]
        let places = folders.flatMap(SourceFile.below).flatMap {
            $0.places(of: #"^ *default:|@unknown default|\bcase _:"#)
        }
        expectNone(places, "name the cases, so that a new one is an error here")
    }

    // MARK: Layers

    @Test func `a layer imports only what lies below it`() {
        let own = Set(TidyTests.modules.keys).union(["Testing"])
        let places = TidyTests.modules.flatMap { module, below in
            SourceFile.below("Sources/\(module)").filter {
                !$0.imports.intersection(own).isSubset(of: below)
            }.map(\.path)
        }
        expectNone(places, "see the table of modules in ARCHITECTURE.md")
    }

    @Test func `of the sources, only Apple's verifier imports Foundation`() {
        let places = SourceFile.below("Sources").filter { file in
            !file.imports.isDisjoint(with: ["Foundation", "FoundationEssentials"])
                && file.lines.first != "#if canImport(CryptoKit) && canImport(Security)"
        }
        expectNone(places.map(\.path), "it doubles the size of a static program")
    }

    /// The projections by name, with the file of each.
    private static let projections: [(name: String, file: SourceFile)] = {
        let folder = SourceFile.below("Sources/PurchaseProjections/Projections")
        return folder.flatMap { file in
            file.matches(of: #"(?:struct|class) (\w+): (?:\w+, )*Projection\b"#).map {
                ($0.text, file)
            }
        }
    }()

    @Test func `no projection uses another`() {
        let places = TidyTests.projections.flatMap { name, file in
            mentions(of: TidyTests.projections.map(\.name).filter { $0 != name }, in: file)
        }
        expectNone(places, "what two projections need belongs to the facts")
    }

    @Test func `no rule uses a projection, the machine or another rule`() {
        let machine = SourceFile.below("Sources/PurchaseEvents/Machine").flatMap(\.types).filter {
            $0.hasSuffix("State") || $0.hasSuffix("Phase") || $0.hasSuffix("Step")
        }
        let names =
            TidyTests.projections.map(\.name) + RuleCatalogue.all.map { String(describing: $0) }
            + machine
        let places = TidyTests.rules.filter { !$0.name.hasSuffix("Rules") }.flatMap { file in
            mentions(of: names.filter { !file.types.contains($0) }, in: file)
        }
        expectNone(places, "a rule reads events and facts")
    }

    private func mentions(of types: [String], in file: SourceFile) -> [String] {
        types.isEmpty ? [] : file.places(of: "\\b(?:\(types.joined(separator: "|")))\\b")
    }

    // MARK: Banned calls

    @Test func `what traps on input isn't written`() {
        for file in SourceFile.all {
            expectNone(file.places(of: #"\bfatalError\b"#), "a precondition, or a typed error")
            expectNone(file.places(of: #"\btry!"#), "try, and pass the error on")
            expectNone(file.places(of: #"\bas!"#), "as?, and say what else it may be")
            expectNone(
                file.places(of: TidyTests.forceUnwrap),
                "guard let, or #require in a test")
            expectNone(file.places(of: #"\bunsafeBitCast\b"#), "a typed access")
        }
    }

    @Test func `clock, identifiers and randomness come in as arguments`() {
        for file in TidyTests.libraries {
            expectNone(
                file.places(
                    of: #"\bDate\(\)|\bDate\.now\b|\b\w*Clock(?:\(\))?\.now\b|\btime\(nil\)"#),
                "take the time as an argument")
            expectNone(file.places(of: #"\bUUID\(\)"#), "take the identifier as an argument")
            // The key of hash tables is the exception: nothing printed depends on it.
            guard file.name != "HashKey" else { continue }
            expectNone(
                file.places(
                    of: #"SystemRandomNumberGenerator|\.random(?:Element)?\(|\.shuffled\(\)"#),
                "take the generator as an argument")
        }
    }

    @Test func `only the tool prints`() {
        for file in TidyTests.libraries {
            expectNone(file.places(of: #"\b(?:debugP|p)rint\(|\bdump\("#), "give the text back")
        }
    }

    // MARK: The package

    @Test func `only suites named after fixtures read what lies beside the project`() throws {
        let readers = SourceFile.below("Tests").filter {
            $0.name != "Fixtures" && !$0.places(of: #"Fixtures\."#).isEmpty
        }
        let suites = readers.flatMap { file in
            file.matches(of: #"\b(?:struct|class|actor|enum) (\w+Tests)\b"#).map(\.text)
        }
        expectNone(
            suites.filter { !$0.hasSuffix("FixtureTests") },
            ".ci/run runs suites of fixtures by the name …FixtureTests")
        let named = SourceFile.below("Tests").flatMap { file in
            file.matches(of: #"\bstruct (\w+FixtureTests)\b"#).map(\.text)
        }
        #expect(Set(suites) == Set(named))
        let script = try String(
            contentsOf: Folders.root.appending(path: ".ci/run"), encoding: .utf8)
        #expect(script.contains("--filter FixtureTests"))
        let others = SourceFile.below("Tests").filter { file in
            !["Fixtures", "TidyTests"].contains(file.name)
                && file.lines.contains { $0.contains("shared/") }
        }
        expectNone(others.map(\.path), "ask Fixtures, and skip the suite where they are missing")
    }

    @Test func `the package depends on no other`() throws {
        let manifest = try #require(SourceFile(path: "Package.swift"))
        expectNone(manifest.places(of: #"\.package\("#), "write it here")
        #expect(
            !FileManager.default.fileExists(
                atPath: Folders.root.appending(path: "Package.resolved").path(percentEncoded: false)
            ))
    }

    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `a rule has its file, its test and its sample`(_ id: String) {
        let name = id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            .joined()
        #expect(TidyTests.rules.contains { $0.name == name }, "Sources/…/Rules/…/\(name).swift")
        for path in [
            "Tests/PurchaseEventsTests/Stories/Rules/\(id).stories",
            "events/violations/\(id).jsonl", "events/violations/\(id).expected",
        ] {
            let file = Folders.root.appending(path: path).path(percentEncoded: false)
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
    }

    @Test func `the rooms of rules hold rules alone`() {
        let rules = Set(RuleCatalogue.all.map { String(describing: $0) })
        let places = ["Delivery", "Log", "Queue", "Receipt", "Subscription"].flatMap { room in
            SourceFile.below("Sources/PurchaseProjections/Rules/\(room)")
                .filter { !rules.contains($0.name) }.map(\.path)
        }
        expectNone(places, "what several rules need belongs in Helpers")
    }

    @Test func `every violation shows a rule`() {
        let known = Set(RuleCatalogue.all.map { $0.id })
        let names = Folders.files(in: Folders.events.appending(path: "violations"), "expected").map
        {
            $0.deletingPathExtension().lastPathComponent
        }
        expectNone(names.filter { !known.contains($0) }, "a sample without its rule")
    }

    @Test func `no file tells of the machine that it was written on`() throws {
        let needles = ["wo" + "rk", "ro" + "ot", "ho" + "me"].map { Data("/\($0)/".utf8) }
        let all = FileManager.default.enumerator(
            at: Folders.root, includingPropertiesForKeys: [.isRegularFileKey])
        var places: [String] = []
        while let file = all?.nextObject() as? URL {
            guard ![".build", ".git", ".swiftpm"].contains(file.lastPathComponent) else {
                all?.skipDescendants()
                continue
            }
            let values = try file.resourceValues(forKeys: [.isRegularFileKey])
            guard values.isRegularFile == true else { continue }
            let data = try Data(contentsOf: file)
            let isTelling = needles.contains { data.range(of: $0) != nil }
            if isTelling { places.append(file.lastPathComponent) }
        }
        expectNone(places, "say it relative to the package")
    }
}
