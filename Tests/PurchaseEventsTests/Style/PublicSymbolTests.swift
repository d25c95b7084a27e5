import Foundation
import Testing

/// Any change to the libraries' public interface changes a golden file.
struct PublicSymbolTests {
    /// The library products of the package.
    static let modules: [String] = {
        let manifest = SourceFile(path: "Package.swift")?.lines.joined(separator: "\n") ?? ""
        return manifest.matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) }
    }()

    /// Whether the platform and the compiler are those that wrote the golden files.
    private static let writesAlike: Bool = {
        #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
            true
        #else
            false
        #endif
    }()

    @Test(.enabled(if: writesAlike, "other compilers print otherwise"), arguments: modules)
    func `the public symbols of a library are those of its golden file`(_ module: String) throws {
        let symbols = try PublicSymbols(of: module)
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
}
