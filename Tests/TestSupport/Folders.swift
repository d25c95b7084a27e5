import Foundation

/// The folders that tests read.
package enum Folders {
    /// The package's root.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    /// The sample logs.
    package static let events = root.appending(path: "events")

    /// The files in a folder with an extension, sorted by name.
    package static func files(in folder: URL, _ pathExtension: String) -> [URL] {
        guard
            let all = try? FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
        else { preconditionFailure("there is no folder \(folder.path)") }
        return all.filter { $0.pathExtension == pathExtension }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    /// The bytes of a file.
    package static func bytes(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }
}
