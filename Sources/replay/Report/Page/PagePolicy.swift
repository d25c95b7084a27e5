import PurchaseEvents

/// The page's policy: it loads nothing, and only its own style and script apply.
enum PagePolicy {
    /// The content security policy for a page's inline style and script.
    static func text(style: [UInt8], script: [UInt8]) -> String {
        "default-src 'none'; style-src '\(source(style))'; script-src '\(source(script))'; "
            + "base-uri 'none'; form-action 'none'"
    }

    /// The hash source that allows one inline element.
    private static func source(_ content: [UInt8]) -> String {
        "sha256-\(base64(SHA256.hash(content).bytes))"
    }

    /// Bytes in base64 with padding (RFC 4648, 4).
    static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(
                    place <= group.count
                        ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
