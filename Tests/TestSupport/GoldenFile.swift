import Foundation

/// A file with the expected text of a test.
package enum GoldenFile {
    /// The text of a golden file; if `UPDATE_GOLDEN` is set, the new text is written to it first.
    package static func text(at file: URL, for text: String) throws -> String? {
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return try? String(contentsOf: file, encoding: .utf8)
    }
}
