/// The keys of one JSON object, to detect duplicates.
struct SeenKeys {
    /// The first keys, compared one by one: an object has few, and hashing them all costs more.
    private var compared: [[UInt8]] = []
    private var hashed: Set<[UInt8]> = []

    static let comparedLimit = 24

    mutating func insert(_ key: [UInt8]) -> Bool {
        if compared.contains(key) { return false }
        guard compared.count == SeenKeys.comparedLimit else {
            compared.append(key)
            return true
        }
        return hashed.insert(key).inserted
    }
}
