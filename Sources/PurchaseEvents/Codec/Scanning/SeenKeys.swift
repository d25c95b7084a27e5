/// The keys of one JSON object, to detect duplicates.
struct SeenKeys {
    /// The first keys, compared one by one: an object has few, and hashing them all costs more.
    private var compared: [[UInt8]] = []
    /// The other keys.
    private var hashed: Set<[UInt8]> = []

    /// The number of keys that are compared one by one.
    static let comparedLimit = 24

    /// Adds a key; returns `false` if the object has it already.
    mutating func insert(_ key: [UInt8]) -> Bool {
        if compared.contains(key) { return false }
        guard compared.count == SeenKeys.comparedLimit else {
            compared.append(key)
            return true
        }
        return hashed.insert(key).inserted
    }
}
