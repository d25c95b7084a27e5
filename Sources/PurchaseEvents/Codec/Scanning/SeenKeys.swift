/// The keys of one JSON object, to find one that is there twice.
struct SeenKeys {
    /// The first keys, which are compared one by one: an object has few, and to hash them all costs
    /// more.
    private var few: [[UInt8]] = []
    /// The keys behind those.
    private var many: Set<[UInt8]> = []

    /// How many keys are compared one by one.
    static let fewLimit = 24

    /// Takes a key; `false` where it was there.
    mutating func insert(_ key: [UInt8]) -> Bool {
        if few.contains(key) { return false }
        guard few.count == SeenKeys.fewLimit else {
            few.append(key)
            return true
        }
        return many.insert(key).inserted
    }
}
