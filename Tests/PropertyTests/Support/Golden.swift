import Foundation
import Testing

/// Holds a text against a golden file of these tests; `UPDATE_GOLDEN=1 swift test` rewrites it.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let golden = try? String(contentsOf: file, encoding: .utf8)
    #expect(
        text == golden, "\(name) differs; if that is meant: UPDATE_GOLDEN=1 swift test",
        sourceLocation: sourceLocation)
}
