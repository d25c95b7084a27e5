extension ViolationSamples {
    static let receipt: [String: String] = [:]
}
