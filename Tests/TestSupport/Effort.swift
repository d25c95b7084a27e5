import Foundation

/// How much the tests try that have many cases.
///
/// `swift test` tries a part of the cases, drawn by fixed seeds, and is done in minutes. With
/// `WHOLE_TESTS=1` it tries all, as the row `whole` of `Tests/reliability` does.
package enum Effort {
    /// Whether all cases are tried.
    package static let isWhole = ProcessInfo.processInfo.environment["WHOLE_TESTS"] != nil

    /// One number for a run of all cases and a smaller one for a part of them.
    package static func of<Value>(whole: Value, part: Value) -> Value { isWhole ? whole : part }
}
