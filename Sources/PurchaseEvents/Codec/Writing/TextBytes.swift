extension String {
    /// Calls `body` with the UTF-8 bytes, which are valid only during the call; a text not stored
    /// as UTF-8 is copied first.
    @inline(__always)
    package func withTextBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
