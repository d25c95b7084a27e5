extension ViolationSamples {
    static let queue: [String: String] = [:]
}
