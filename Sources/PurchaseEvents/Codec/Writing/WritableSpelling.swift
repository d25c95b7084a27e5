/// A spelling whose events can be written as lines.
public protocol WritableSpelling: Spelling where Name: LineText, Key: LineText, Text: LineText {}

/// A name or a text that can give its bytes.
public protocol LineText {
    /// Calls `body` with the UTF-8 bytes, which are valid only during the call.
    func withLineBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
}

extension LineText {
    /// The bytes as text.
    package var lineText: String { withLineBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Written: WritableSpelling {}

extension String: LineText {
    /// Calls `body` with the UTF-8 bytes; a text not stored as UTF-8 is copied first.
    @inline(__always)
    public func withLineBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
