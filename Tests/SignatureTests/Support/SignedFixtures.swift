import PurchaseEvents
import PurchaseSignatures
import TestSupport

/// The signed documents among the fixtures.
extension Fixtures {
    /// The receipt in a base64 file.
    static func receipt(_ name: String) throws -> [UInt8] {
        try Base64.decode(try bytes(name)[...], skippingSpaces: true)
    }

    /// The TEST notification that Apple signed in 2022, and its signing time.
    static func appleNotification() throws -> (jws: JWS, signedAt: Timestamp) {
        let file = "notifications-v2/imdhemy-test-notification-signed-by-apple.json"
        let text = try value("signedPayload", of: try bytes(file))
        let jws = try JWS(text)
        guard let date = Int64(try value("signedDate", of: jws.payload)) else {
            throw MissingValue(key: "signedDate")
        }
        return (jws, Timestamp(milliseconds: date))
    }

    /// A JWS of Apple's test authorities.
    static func mock(_ name: String) throws -> JWS {
        try JWS(try bytes("notifications-v2/apple-mock-\(name).jws").filter { $0 > 0x20 })
    }

    /// The text of a member of a JSON object.
    static func value(_ key: String, of json: [UInt8]) throws -> String {
        var found: String?
        JSONReader.read(json) { part in
            guard case .document(let document) = part else { return }
            switch document[key]?.content {
            case .string(let text), .number(let text): found = text
            case .none, .null, .flag, .array, .object: break
            }
        }
        guard let found else { throw MissingValue(key: key) }
        return found
    }

    struct MissingValue: Error {
        var key: String
    }
}
