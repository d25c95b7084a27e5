import Foundation

/// The folders that tests read.
enum Folders {
    /// The package's root.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The sample logs.
    static let events = root.appending(path: "events")
    /// The golden files, which are rewritten if `UPDATE_GOLDEN` is set.
    static let golden = root.appending(path: "Tests/PurchaseEventsTests/Golden")

    /// The files in a folder with an extension, sorted by name.
    static func files(in folder: URL, _ pathExtension: String) -> [URL] {
        guard
            let all = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
        else { preconditionFailure("there is no folder \(folder.path)") }
        return all.filter { $0.pathExtension == pathExtension }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The bytes of a file.
    static func bytes(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
