import Foundation
@testable import PurchaseEvents
@testable import PurchaseProjections
import Testing

/// Every type that lists its fields for a snapshot lists all that can change.
struct SnapshotFieldsTests {
    /// A type in a source file: its name, the lines of its body and the stored variables in it.
    private struct FoundType {
        var name: String
        var body: [String]
        var fields: [String]

        /// Whether a line begins the type's own list of fields.
        func isVisit(_ line: String) -> Bool {
            let depth = body[0].prefix { $0 == " " }.count + 4
            return line.contains("func visitFields(") && line.prefix { $0 == " " }.count == depth
        }
    }

    private static let start =
        #"^( *)((private|public|package|fileprivate|final) )*(struct|class) (\w+)"#
    private static let field =
        #"^ *(@Packed )?((private|public|package|fileprivate|internal)(\(set\))? )*var (\w.*)$"#

    private static func types(in lines: [String]) throws -> [FoundType] {
        let start = try Regex(Self.start), field = try Regex(Self.field)
        var found: [FoundType] = []
        for (number, line) in lines.enumerated() {
            guard let match = line.prefixMatch(of: start), let name = match.output[5].substring
            else { continue }
            let indent = String(match.output[1].substring ?? "")
            let rest = lines[(number + 1)...]
            let end = rest.firstIndex { $0.hasPrefix(indent + "}") } ?? lines.endIndex
            let body = Array(lines[number..<end])
            let fields = body.dropFirst().filter { $0.hasPrefix(indent + "    ") }
                .filter { !$0.hasPrefix(indent + "     ") }
                .filter { !$0.contains("{") || $0.contains("= {") }
                .compactMap { $0.wholeMatch(of: field)?.output[5].substring }
                .flatMap { names(of: String($0)) }
            found.append(FoundType(name: String(name), body: body, fields: fields))
        }
        return found
    }

    /// The names that a declaration of one or several variables introduces.
    private static func names(of declaration: String) -> [String] {
        var (names, depth, part) = ([String](), 0, "")
        for letter in declaration + "," {
            if "(<[".contains(letter) { depth += 1 }
            if ")>]".contains(letter) { depth -= 1 }
            guard letter == ",", depth == 0 else {
                part.append(letter)
                continue
            }
            let name = part.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            names.append(String(name))
            part = ""
        }
        return names.filter { !$0.isEmpty }
    }

    private static let sources =
        SourceFile.below("Sources/PurchaseProjections")
        + SourceFile.below("Sources/PurchaseEvents") + SourceFile.below("Sources/replay")

    @Test func `each field that can change is visited`() throws {
        var count = 0
        var missing: [String] = []
        for file in Self.sources {
            for type in try Self.types(in: file.lines) {
                guard let first = type.body.firstIndex(where: { type.isVisit($0) }) else {
                    continue
                }
                let depth = type.body[first].prefix { $0 == " " }
                let isOneLine = type.body[first].hasSuffix("}")
                let visit = type.body[first...]
                    .prefix(isOneLine ? 1 : type.body.count)
                    .prefix { !$0.hasPrefix(depth + "}") }
                    .joined(separator: "\n")
                count += 1
                // The bytes of the value, and its lists by name.
                if visit.contains("visitImage(") { continue }
                missing += type.fields.filter { !visit.contains($0) }
                    .map { "\(file.path): \(type.name).\($0)" }
            }
        }
        #expect(count > 100)
        // The record is visited where it lies, and its owner is made anew; line rules are taken out
        // of a check of their own; a search may look at a few bytes again; periods are settled when
        // the log has ended; what a run of check has met is not met by the next.
        let known = [
            "Facts.storage", "RuleRunners.lineRules", "RuleRunners.isWhole",
            "GrowingLog.searchedEnd", "FactsRecord.settledPeriods", "PrintedFindings.met",
        ]
        #expect(missing.filter { place in !known.contains { place.contains($0) } } == [])
    }

    @Test func `each rule and projection with fields visits them`() throws {
        for file in SourceFile.below("Sources/PurchaseProjections") {
            for type in try Self.types(in: file.lines) where !type.fields.isEmpty {
                let isKept = [
                    ": CatalogueRule", ": LineRule", ": WrittenRun", "CatalogueProjection",
                ]
                .contains { type.body[0].contains($0) }
                guard isKept else { continue }
                let visits = type.body.contains { type.isVisit($0) }
                #expect(visits, "\(file.path): \(type.name) has fields: \(type.fields)")
            }
        }
    }

    @Test func `each list of a value that is visited as it lies in memory is named`() {
        let subscription = SubscriptionFacts(original: TransactionID(index: 0), firstLine: 0)
        let known: [(Any, FieldVisitor.ListPlaces)] = [
            (TransactionFacts(), TransactionFacts.lists), (RareFacts(), RareFacts.lists),
            (subscription, SubscriptionFacts.lists),
        ]
        for (value, lists) in known {
            #expect(Self.lists(in: value) == lists.offsets.count, "\(type(of: value))")
            #expect(Set(lists.offsets).count == lists.offsets.count, "\(type(of: value))")
        }
        #expect(Self.lists(in: (1, [2], Optional<[Int]>.none, ["a": 3], "b")) == 4)
    }

    /// The number of references in a value.
    private static func lists(in value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        let type = "\(type(of: value))"
        switch mirror.displayStyle {
        case .collection, .dictionary, .set, .class: return 1
        case .optional where mirror.children.isEmpty:
            return ["Array", "Dictionary", "Set<", "String"].contains { type.contains($0) } ? 1 : 0
        default: return value is String ? 1 : mirror.children.reduce(0) { $0 + lists(in: $1.value) }
        }
    }

    @Test func `the fields of a type are found`() throws {
        let text = """
            struct One {
                private var two = 2, three: [Int: (a: Int, b: Int)] = [:]
                var four: Int { 4 }
                let five = 5
                struct Six { var seven = 7 }
                @Packed var eight: Int?
                mutating func visitFields(_ visitor: FieldVisitor) {
                    var nine = 9
                }
            }
            """
        let lines = text.split(separator: "\n").map(String.init)
        let types = try Self.types(in: lines)
        #expect(types.first?.fields == ["two", "three", "eight"])
    }
}
