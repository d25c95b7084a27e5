import Foundation
import Testing

/// What fuzzing has come to is tried again whenever the tests are run, by what the fuzzer calls; an
/// input that is bad ends the process.
@Suite struct CorpusTests {
    /// The inputs that are kept of a target, a base64 text a line.
    private static func corpus(_ target: String) throws -> [[UInt8]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "Corpus/\(target).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            Array(try #require(Data(base64Encoded: String(line)), "\(target): \(line)"))
        }
    }

    private func run(
        _ target: String, atLeast count: Int, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let inputs = try CorpusTests.corpus(target)
        for input in inputs { try input.withUnsafeBytes(body) }
        #expect(inputs.count >= count)
    }

    @Test func `lines are decoded in both ways alike`() throws {
        let fuzz = LineFuzz()
        try run("lines", atLeast: 200) { input in
            fuzz.run(input)
            #expect(fuzz.runAll(input) > 0)
        }
    }

    @Test func `a log is read alike in any portions`() throws {
        try run("reader", atLeast: 50) { try ReaderFuzz.run($0) }
    }

    @Test func `a log is recovered once, and nothing of it is lost`() throws {
        try run("recovery", atLeast: 50) { RecoveryFuzz.run($0) }
    }

    @Test func `arguments are a command or an error that may be printed`() throws {
        try run("arguments", atLeast: 50) { ArgumentFuzz.run($0) }
    }

    @Test func `a file is imported alike in any portions`() throws {
        try run("import", atLeast: 20) { ImportFuzz.run($0) }
    }

    @Test func `a certificate, a signed payload and a signed message are read or are an error`()
        throws
    {
        try run("certificates", atLeast: 12) { SignatureFuzz.run(certificate: $0) }
        try run("payloads", atLeast: 7) { SignatureFuzz.run(payload: $0) }
        try run("messages", atLeast: 10) { SignatureFuzz.run(message: $0) }
    }
}
