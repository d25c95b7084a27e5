import Foundation
import Testing

/// The public declarations of a module, one line each, with the type that they belong to.
///
/// They are what the compiler wrote of them into the built module. What only Apple's platforms
/// compile is read from its files.
struct PublicSymbols {
    /// Sorted lines such as `EventLog: func append(_ draft: Draft) throws -> Appended`.
    let lines: [String]

    init(of module: String) throws {
        let folder = try TemporaryFolder()
        let tool = try #require(SystemTool("swift"))
        let modules = PublicSymbols.build.appending(path: "Modules").path(percentEncoded: false)
        let ran = try tool.run(
            [
                "symbolgraph-extract", "-module-name", module, "-I", modules, "-output-dir",
                folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
            ], in: folder.path)
        try #require(ran.status == 0, "\(ran.output)")
        let graphs = try Folders.files(in: URL(filePath: folder.path), "json").map {
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0))
        }
        lines = Set(graphs.flatMap(\.lines) + PublicSymbols.linesForApple(module)).sorted()
    }

    /// The folder of the build that runs this test, or that it was copied from.
    private static let build: URL = {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let modules = own.appending(path: "Modules").path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: modules)
            ? own : Folders.root.appending(path: ".build/debug")
    }()

    private static func linesForApple(_ module: String) -> [String] {
        let files = SourceFile.below("Sources/\(module)").filter { file in
            file.lines.last { !$0.isEmpty } == "#endif"
        }
        let parameters = #"\((?:[^()]|\([^()]*\))*\)"#
        let word = #"(?:[^\n(={]|==)*"#
        let heads = "^ *((?:public|extension) \(word)(?:\(parameters)\(word))?)"
        return files.flatMap { file in
            file.matches(of: heads).map { _, head in
                "\(file.name): \(head.split(whereSeparator: \.isWhitespace).joined(separator: " "))"
            }
        }
    }
}

/// What the compiler writes of a module's symbols.
private struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }
        struct Extension: Decodable { var constraints: [Constraint]? }
        var identifier: Identifier
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        var swiftExtension: Extension?

        var line: String {
            let type = pathComponents.dropLast().joined(separator: ".")
            let text = declarationFragments.map(\.spelling).joined()
            let rest = Constraint.text(swiftExtension?.constraints)
            return type.isEmpty ? text : "\(type)\(rest): \(text)"
        }
    }

    struct Constraint: Decodable {
        var kind: String
        var lhs: String
        var rhs: String

        static func text(_ all: [Constraint]?) -> String {
            let texts = all?.map { "\($0.lhs)\($0.kind == "sameType" ? " ==" : ":") \($0.rhs)" }
            return texts.map { " where " + $0.joined(separator: ", ") } ?? ""
        }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
        var swiftConstraints: [Constraint]?
    }

    var symbols: [Symbol]
    var relationships: [Relationship]

    var lines: [String] {
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
            uniquingKeysWith: { first, _ in first })
        // Every type has these, and not every compiler tells of them.
        let usual: Set = ["Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"]
        return symbols.map(\.line)
            + relationships.compactMap { relation in
                guard ["conformsTo", "inheritsFrom"].contains(relation.kind),
                    let name = names[relation.source],
                    let target = names[relation.target] ?? relation.targetFallback,
                    !usual.contains(target)
                else { return nil }
                return "extension \(name): \(target)" + Constraint.text(relation.swiftConstraints)
            }
    }
}
