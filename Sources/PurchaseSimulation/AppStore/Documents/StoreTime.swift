import PurchaseEvents

extension JSONText {
    /// Adds a time as the App Store writes it, in milliseconds since 1970; `nil` adds nothing.
    mutating func add(_ key: String, _ value: Timestamp?) { add(key, value?.milliseconds) }
}
