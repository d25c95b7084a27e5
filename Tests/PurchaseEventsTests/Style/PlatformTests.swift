import Foundation
import Testing

/// The libraries build on every platform that the package names.
struct PlatformTests {
    private static let sources = SourceFile.below("Sources")

    @Test func `a file that imports one C library imports that of each platform`() {
        let libraries = ["Glibc", "Musl", "Android"]
        for file in PlatformTests.sources {
            let text = file.lines.joined(separator: "\n")
            guard text.contains("import Glibc") else { continue }
            for library in libraries {
                #expect(text.contains("canImport(\(library))"), "\(file.path): \(library)")
            }
        }
    }

    @Test func `only the tool starts programs and handles signals`() {
        let calls = ["posix_spawn", "sigaction(", "signal(SIG", "pthread_sigmask", "waitpid"]
        for file in PlatformTests.sources where !file.path.hasPrefix("Sources/replay/") {
            for line in file.lines {
                for call in calls { #expect(!line.contains(call), "\(file.path): \(line)") }
            }
        }
    }

    @Test func `the index documents each library, and builds the recorder everywhere`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Folders.root.appending(path: path), encoding: .utf8)
        }
        let index = try text(".spi.yml")
        for module in PublicSymbolTests.modules { #expect(index.contains("- \(module)\n")) }
        for platform in ["ios", "tvos", "watchos", "visionos"] {
            #expect(index.contains("- platform: \(platform)\n      scheme: PurchaseRecorder"))
            #expect(try text("Package.swift").lowercased().contains(".\(platform)("))
        }
    }
}
