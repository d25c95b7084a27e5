/// A place where bytes break the rules of their encoding, and what was expected there.
package struct EncodingProblem: Error, Hashable, Sendable {
    /// The offset of the byte with the problem, counted from 0.
    package var offset: Int
    package var message: String

    package init(_ offset: Int, _ message: String) {
        self.offset = offset
        self.message = message
    }
}

extension EncodingProblem: CustomStringConvertible {
    package var description: String { "byte \(offset + 1): \(message)" }
}
