import PurchaseEvents

extension EscapedText {
    /// The beginning of a text as safe text.
    static func excerpt(of text: String) -> String {
        Array(text.utf8).withUnsafeBytes { excerpt($0) }
    }
}
