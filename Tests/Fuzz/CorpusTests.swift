import Foundation
import Testing

/// Runs the inputs that fuzzing has found through the fuzz targets in every test run; a bad input
/// ends the process.
struct CorpusTests {
    /// The corpus of a target; each line of the file is one input in base64.
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

    @Test func `both decoding paths give the same result`() throws {
        let fuzz = LineFuzz()
        try run("lines", atLeast: 200) { input in
            fuzz.run(input)
            #expect(fuzz.runAll(input) > 0)
        }
    }

    @Test func `a log reads the same in any portions of bytes`() throws {
        try run("reader", atLeast: 50) { try ReaderFuzz.run($0) }
    }

    @Test func `recovering a log twice changes nothing, and no byte is lost`() throws {
        try run("recovery", atLeast: 50) { RecoveryFuzz.run($0) }
    }

    @Test func `arguments are a command or an error that is safe to print`() throws {
        try run("arguments", atLeast: 50) { ArgumentFuzz.run($0) }
    }

    @Test func `JSON is read in any portions, or is a problem with a place`() throws {
        try run("json", atLeast: 15) { JSONFuzz.run($0) }
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
