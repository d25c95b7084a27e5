/// Where bytes break the rules of their encoding, and what was expected there.
package struct EncodingProblem: Error, Hashable, Sendable {
    /// The byte at fault, counted from 0 at the start of the bytes that were read.
    package var offset: Int
    /// What was seen and what was expected.
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

extension EncodingProblem: CustomStringConvertible {
    package var description: String { "byte \(offset): \(message)" }
}
