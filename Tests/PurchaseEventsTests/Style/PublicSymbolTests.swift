import Foundation
import Testing

/// Any change to the libraries' public interface changes a golden file.
@Suite struct PublicSymbolTests {
    /// The library products of the package.
    static let modules: [String] = {
        let manifest = SourceFile(path: "Package.swift")?.lines.joined(separator: "\n") ?? ""
        return manifest.matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) }
    }()

    @Test(arguments: modules)
    func `the public symbols of a library are those of its golden file`(_ module: String) throws {
        let symbols = PublicSymbols(SourceFile.below("Sources/\(module)"))
        #expect(symbols.unbalanced == [])
        #expect(symbols.lines.count > 5)
        let text = symbols.lines.map { $0 + "\n" }.joined()
        try expectGolden(text, "api/\(module).txt")
    }

    @Test func `every library has a golden file, and no other module`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: Folders.golden.appending(path: "api").path(percentEncoded: false))
        #expect(PublicSymbolTests.modules.count >= 4)
        #expect(files.sorted() == PublicSymbolTests.modules.sorted().map { "\($0).txt" })
    }

    @Test func `declarations are told from what isn't public`() {
        let file = SourceFile(
            path: "Sources/A/One.swift",
            text: """
                public struct One<Value>: Hashable
                where Value: Hashable {
                    public static let zero = One(a: [0])  // public let remark: Int
                    public private(set) var a: [Int] = [1], b = "public var c: Int {"
                    public var two: Int { a[0] }
                    @inlinable public var three: Int {
                        get { public }
                        nonmutating set { a = newValue }
                    }
                    var hidden: Int { 0 }
                    public func four(
                        _ a: Int = 3, then b: () -> Int = { 0 }
                    ) throws -> Int
                    where Value == Int { 1 }
                    private enum Secret { case one; public static let two = 2 }
                    public enum Kind: String, Sendable {
                        case a = "A", b(Int, c: [Int])
                        indirect case d
                    }
                }
                public protocol Five: Sendable {
                    associatedtype Kind: Hashable = Int
                    var six: Int { get set }
                    static func seven() -> Int
                }
                extension One: Five where Value == Int { public func eight() {} }
                extension One.Kind { public var nine: Int { 9 } }
                struct Ten: Sendable { public let ten: Int }
                extension Ten: Hashable { public func ten() {} }
                """)
        let symbols = PublicSymbols([file])
        #expect(symbols.unbalanced == [])
        #expect(
            symbols.lines == [
                "Five: associatedtype Kind: Hashable",
                "Five: static func seven() -> Int",
                "Five: var six: Int { get set }",
                "One where Value == Int: func eight()",
                "One.Kind: case a",
                "One.Kind: case b(Int, c: [Int])",
                "One.Kind: case d",
                "One.Kind: var nine: Int { get }",
                "One: enum Kind: String, Sendable",
                "One: func four(_ a: Int = 3, then b: () -> Int = {}) throws -> Int "
                    + "where Value == Int",
                "One: private(set) var a: [Int]",
                "One: static let zero",
                "One: var three: Int { get set }",
                "One: var two: Int { get }",
                "extension One: Five where Value == Int",
                "protocol Five: Sendable",
                "struct One<Value>: Hashable where Value: Hashable",
            ])
    }
}
