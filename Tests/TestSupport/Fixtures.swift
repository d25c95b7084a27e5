import Foundation

/// Real App Store data and test suites of others, in `../shared/fixtures` beside the project.
///
/// A clone has nothing beside it, so a suite that reads a fixture says
/// `.enabled(if: Fixtures.exist("FOLDER"), "\(Fixtures.missing)")` and is named `…FixtureTests`:
/// `.ci/run` finds these suites by that name, and `TidyTests` holds it.
package enum Fixtures {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "shared/fixtures")

    /// Why a suite of fixtures is skipped.
    package static let missing = "there is no ../shared/fixtures beside the project"

    /// Whether a file or folder is among the fixtures.
    package static func exist(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url(path).path(percentEncoded: false))
    }

    /// The place of a file or folder of fixtures.
    package static func url(_ path: String) -> URL { folder.appending(path: path) }

    /// The bytes of a fixture.
    package static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url(path)))
    }
}
