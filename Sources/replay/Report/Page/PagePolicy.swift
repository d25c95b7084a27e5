import PurchaseEvents
import PurchaseSignatures

/// The page's policy: it loads nothing, and only its own style and script apply.
enum PagePolicy {
    static func text(style: String, script: String) -> String {
        "default-src 'none'; style-src '\(source(style))'; script-src '\(source(script))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// The hash source that allows one inline element.
    private static func source(_ content: String) -> String {
        let digits = Base64.encode(SHA256.hash(Array(content.utf8)).bytes)
        return "sha256-\(String(decoding: digits, as: UTF8.self))"
    }
}
