import Foundation

extension SystemHost {
    func succeeds(_ command: String, on bytes: [UInt8]) throws(SystemProblem) -> Bool {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "replay-\(ProcessInfo.processInfo.processIdentifier).jsonl")
        do {
            try Data(bytes).write(to: file)
        } catch {
            throw SystemProblem(code: EIO)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "\(command) \"$0\"", file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw SystemProblem(code: ENOENT)
        }
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
