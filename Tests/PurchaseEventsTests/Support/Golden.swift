import Foundation
import TestSupport
import Testing

// Most files of this target name these; they need no import of their own.
typealias Folders = TestSupport.Folders
typealias StoryFile = TestSupport.StoryFile

extension Folders {
    /// The golden files, which are rewritten if `UPDATE_GOLDEN` is set.
    static let golden = root.appending(path: "Tests/PurchaseEventsTests/Golden")
}

/// Compares a text with its golden file; `UPDATE_GOLDEN=1 swift test` rewrites the file.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let golden = try GoldenFile.text(at: Folders.golden.appending(path: name), for: text)
    #expect(
        text == golden, "\(name) differs; if that is meant: UPDATE_GOLDEN=1 swift test",
        sourceLocation: sourceLocation)
}
