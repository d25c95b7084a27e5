/// The smallest logs that violate the rules: a copy of events/violations inside the tool.
///
/// `UPDATE_GOLDEN=1 swift test` writes the other files in this folder from events/violations, one
/// for each table of rules; a test fails if they differ.
enum ViolationSamples {
    /// The lines of the smallest log that violates the rule; `nil` for a rule without a sample.
    static func log(of rule: String) -> [String]? {
        for table in [delivery, queue, receipt, subscription, log] {
            guard let sample = table[rule] else { continue }
            return sample.split(separator: "\n").map(String.init)
        }
        return nil
    }
}
