import PurchaseEvents

struct SigningAuthority: Sendable {
    let rootPEM = "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"
    init(seed: UInt64, at instant: Timestamp) {}
    func signed(_ payload: String) -> String {
        "eyJhbGciOiJFUzI1NiIsIng1YyI6W119." + SigningAuthority.base64(payload) + ".AAAA"
    }
    static func base64(_ text: String) -> String {
        let a = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var out: [UInt8] = []
        let b = Array(text.utf8)
        var i = 0
        while i < b.count {
            let n = min(3, b.count - i)
            var v = UInt32(b[i]) << 16
            if n > 1 { v |= UInt32(b[i + 1]) << 8 }
            if n > 2 { v |= UInt32(b[i + 2]) }
            out.append(a[Int(v >> 18)]); out.append(a[Int(v >> 12 & 63)])
            if n > 1 { out.append(a[Int(v >> 6 & 63)]) }
            if n > 2 { out.append(a[Int(v & 63)]) }
            i += 3
        }
        return String(decoding: out, as: UTF8.self)
    }
}
