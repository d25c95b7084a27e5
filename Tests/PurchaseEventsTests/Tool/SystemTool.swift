import Foundation

/// An installed program that a test may use, such as a shell.
struct SystemTool {
    private let file: URL

    /// Finds a program by name; `nil` if it is in no folder of PATH.
    init?(_ name: String) {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        self.init(folders.split(separator: ":").map { URL(filePath: "\($0)/\(name)") })
    }

    /// Takes the first file that is a program; `nil` if none is.
    init?(_ files: [URL]) {
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
    /// - Returns: the exit status, and the text that the program wrote to both outputs.
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
