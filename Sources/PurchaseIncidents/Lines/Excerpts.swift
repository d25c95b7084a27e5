import PurchaseEvents

extension EscapedText {
    /// The beginning of a text, safe to print.
    static func excerpt(of text: String) -> String {
        Array(text.utf8).withUnsafeBytes { excerpt($0) }
    }
}
