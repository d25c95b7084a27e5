import Foundation
import Testing

/// A process of the tool, whose outputs go to files and whose temporary files are in a folder.
final class ToolProcess {
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "replay").path(percentEncoded: false)
    static let isBuilt = FileManager.default.isExecutableFile(atPath: path)

    let output: String, errors: String
    private let process = Process()

    init(_ arguments: [String], in folder: TemporaryFolder) throws {
        (output, errors) = (folder.path + "/output", folder.path + "/errors")
        for path in [output, errors] { try folder.write("", to: path) }
        process.executableURL = URL(filePath: ToolProcess.path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": folder.path]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
    }

    deinit { process.terminate() }

    var status: Int32 { process.terminationStatus }

    /// Waits until something has happened, while the process runs.
    func wait(until hasHappened: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !hasHappened() {
            try #require(process.isRunning && ContinuousClock.now < end)
            usleep(20_000)
        }
    }

    /// Sends a signal, and waits for the end of the process.
    @discardableResult
    func end(by signal: Int32) -> Process.TerminationReason {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason
    }
}
