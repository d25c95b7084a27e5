import Foundation

/// The number of cases for tests with many cases.
///
/// `swift test` tries some of the cases, drawn with fixed seeds, and takes minutes. With
/// `WHOLE_TESTS=1` it tries all, as the row `whole` of `Tests/reliability` does.
package enum Effort {
    /// Whether all cases are tried.
    package static let isWhole = ProcessInfo.processInfo.environment["WHOLE_TESTS"] != nil

    /// Returns `whole` if all cases are tried, otherwise `part`.
    package static func of<Value>(whole: Value, part: Value) -> Value { isWhole ? whole : part }
}
