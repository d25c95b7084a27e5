extension ViolationSamples {
    static let log: [String: String] = [:]
}
