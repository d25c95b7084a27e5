// swift-format-ignore-file
// Written from events/violations by `UPDATE_GOLDEN=1 swift test`.
extension ViolationSamples {
    /// The samples of the table `subscription`.
    static let subscription: [String: String] = [
        :
    ]
}
