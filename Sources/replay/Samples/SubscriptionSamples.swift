extension ViolationSamples {
    static let subscription: [String: String] = [:]
}
