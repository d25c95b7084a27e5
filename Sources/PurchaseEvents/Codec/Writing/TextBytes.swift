extension String {
    /// Calls `body` with the UTF-8 bytes, which are valid only during the call.
    @inline(__always)
    package func withTextBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
