import Foundation

/// Real App Store data and external test suites, in `../shared/fixtures` beside the project.
///
/// A clone has nothing beside it. So a suite that reads a fixture says `.enabled(if:
/// Fixtures.exist("FOLDER"), "\(Fixtures.missing)")` and has a name that ends in `FixtureTests`:
/// `.ci/run` finds these suites by name, and `TidyTests` checks the name.
package enum Fixtures {
    private static let folder = Folders.root.deletingLastPathComponent()
        .appending(path: "shared/fixtures")

    /// The reason to skip a suite of fixtures.
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
