import Foundation
import TestSupport
import Testing

private func goldenFile(_ name: String) -> URL {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return folder.appending(path: "Golden/\(name)")
}

/// The text of a golden file of this target.
func golden(_ name: String) throws -> String {
    try String(contentsOf: goldenFile(name), encoding: .utf8)
}

/// Compares a text with a golden file of this target; `UPDATE_GOLDEN=1 swift test` rewrites the
/// file.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let golden = try GoldenFile.text(at: goldenFile(name), for: text)
    #expect(
        text == golden, "\(name) differs; if that is meant: UPDATE_GOLDEN=1 swift test",
        sourceLocation: sourceLocation)
}
