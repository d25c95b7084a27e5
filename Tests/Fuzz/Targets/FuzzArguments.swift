@testable import PurchaseEvents
@testable import replay

/// Parses arbitrary arguments, one per line: the result is a command, or a usage error that is safe
/// to print and names what is wrong.
enum ArgumentFuzz {
    static func run(_ input: UnsafeRawBufferPointer) {
        let arguments = String(decoding: input, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        do throws(UsageError) {
            _ = try Parser.parse(arguments)
        } catch {
            precondition(!error.message.isEmpty, "an error says something")
            precondition(
                !error.message.unicodeScalars.contains(where: EscapedText.isUnsafe),
                "an error is safe to print")
        }
        _ = try? Checkpoint(input)
    }
}
