/// The smallest logs that break the rules: events/violations, carried by the tool itself.
///
/// The other files of this folder are written from events/violations, a file for each table of
/// rules, by `UPDATE_GOLDEN=1 swift test`; a test fails where they differ.
enum ViolationSamples {
    /// The lines of the smallest log that breaks a rule; `nil` where there is none.
    static func log(of rule: String) -> [String]? {
        for table in [delivery, queue, receipt, subscription, log] {
            guard let sample = table[rule] else { continue }
            return sample.split(separator: "\n").map(String.init)
        }
        return nil
    }
}
