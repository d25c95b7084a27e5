extension ViolationSamples {
    static let delivery: [String: String] = [:]
}
