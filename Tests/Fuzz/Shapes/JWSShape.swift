/// Signed payloads inside signed payloads, and JSON as text inside JSON.
enum JWSShape {
    /// A notification whose signed parts are notifications, and so on.
    static func nested(_ count: Int) -> [UInt8] {
        var jws = "eyJ.e30.AA"
        for _ in 0..<count {
            let payload = """
                {"notificationType":"TEST","notificationUUID":"u","signedPayload":"\(jws)"}
                """
            jws = "eyJhbGciOiJFUzI1NiJ9.\(base64URL(Array(payload.utf8))).AA"
        }
        return Array(jws.utf8)
    }

    /// Envelopes whose body is the text of another envelope.
    static func bodies(_ count: Int) -> [UInt8] {
        var text = "{\"notificationType\":\"TEST\"}"
        for _ in 0..<count {
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            text = "{\"body\":\"\(escaped)\"}"
        }
        return Array(text.utf8)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var (text, held, bits) = ("", 0, 0)
        for byte in bytes {
            held = (held << 8 | Int(byte)) & 0xFFFF
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(digits[held >> bits & 0x3F])
            }
        }
        if bits > 0 { text.append(digits[held << (6 - bits) & 0x3F]) }
        return text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        base64(bytes).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
