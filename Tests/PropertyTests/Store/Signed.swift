import Foundation

/// Reads what a simulated App Store signed; a real server verifies the signature first.
enum Signed {
    static func object(_ data: Data) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }

    /// The payload of a JWS, or of the one under a key of a document.
    static func payload(_ key: String, of document: [String: Any]) throws -> [String: Any]? {
        try (document[key] as? String).flatMap { try payload($0) }
    }

    static func payload(_ jws: String) throws -> [String: Any]? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while base64.utf8.count % 4 != 0 { base64 += "=" }
        return try Data(base64Encoded: String(base64)).map { try object($0) }
    }
}
