import Foundation

/// A program of the system that a test may use where it is installed, such as a shell.
struct SystemTool {
    private let file: URL

    /// The program of that name; `nil` where no folder of PATH has it.
    init?(_ name: String) {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let files = folders.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
        guard
            let found = files.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false))
            })
        else { return nil }
        file = found
    }

    /// Whether a program is installed, for the condition of a test.
    static func isInstalled(_ name: String) -> Bool { SystemTool(name) != nil }

    /// Runs the program in a folder.
    ///
    /// - Returns: the exit status, and what the program wrote to either output.
    func run(_ arguments: [String], in folder: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = file
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
    }
}
