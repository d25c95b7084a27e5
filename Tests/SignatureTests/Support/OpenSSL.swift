import Foundation

/// The program `openssl`, where it is installed.
enum OpenSSL {
    /// The program's file, or `nil` if no folder of `PATH` has it.
    static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":").map { "\($0)/openssl" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs the program in a folder; returns its status and what it printed.
    static func run(
        _ arguments: [String], in folder: URL
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: path ?? "openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
