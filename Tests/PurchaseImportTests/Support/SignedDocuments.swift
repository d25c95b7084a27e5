import Foundation
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// An App Store payload as JSON, with its keys in the given order.
struct Payload: ExpressibleByDictionaryLiteral {
    var members: [(key: String, value: any Sendable)]

    init(dictionaryLiteral elements: (String, any Sendable)...) {
        members = elements.map { ($0.0, $0.1) }
    }

    /// The payload with other values for some keys; `nil` removes a key.
    func with(_ changes: (key: String, value: (any Sendable)?)...) -> Payload {
        var changed = self
        for (key, value) in changes {
            changed.members.removeAll { $0.key == key }
            if let value { changed.members.append((key, value)) }
        }
        return changed
    }

    /// The value of a key, where it is of that type.
    subscript<Value>(_ key: String) -> Value? {
        members.last { $0.key == key }?.value as? Value
    }

    /// The JSON text.
    var json: String { Payload.json(self) }

    private static func json(_ value: any Sendable) -> String {
        switch value {
        case let payload as Payload:
            let members = payload.members.map { "\(quoted($0.key)):\(json($0.value))" }
            return "{" + members.joined(separator: ",") + "}"
        case let array as [any Sendable]:
            return "[" + array.map { json($0) }.joined(separator: ",") + "]"
        case let flag as Bool: return flag ? "true" : "false"
        case let number as Int64: return String(number)
        case let number as Int: return String(number)
        case let time as Timestamp: return String(time.milliseconds)
        case let raw as RawJSON: return raw.text
        case let text as String: return quoted(text)
        case _: return "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n": quoted += "\\n"
            case _: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}

/// Raw JSON to insert into a payload.
struct RawJSON: Sendable { let text: String }

/// An unsigned compact JWS of a payload.
func unsignedJWS(_ payload: Payload) -> String { unsignedJWS(payload.json) }

func unsignedJWS(_ payload: String) -> String {
    let parts = [#"{"alg":"ES256","x5c":[]}"#, payload, String(repeating: "s", count: 64)]
    return parts.map { base64URL(Array($0.utf8)) }.joined(separator: ".")
}

/// Bytes as base64url without padding.
func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
}

/// The transaction that most tests use: the second month of a subscription.
let march2026: Payload = [
    "transactionId": "t2", "originalTransactionId": "t1", "bundleId": "com.example.app",
    "productId": "monthly", "subscriptionGroupIdentifier": "g", "purchaseDate": day("3-20"),
    "originalPurchaseDate": day("2-20"), "expiresDate": day("4-20"), "quantity": 1,
    "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
    "signedDate": day("3-21"), "environment": "Production", "price": 4990, "currency": "EUR",
]

/// A transaction of a partially refunded consumable.
let coins: Payload = [
    "transactionId": "c1", "originalTransactionId": "c1", "bundleId": "com.example.app",
    "productId": "coins", "purchaseDate": day("3-20"), "originalPurchaseDate": day("3-20"),
    "quantity": 3, "type": "Consumable", "inAppOwnershipType": "PURCHASED",
    "signedDate": day("3-25"), "environment": "Production", "price": 990, "currency": "EUR",
]

/// The next renewal in the line of ``march2026``, with nothing that a notification type would need.
let plainRenewal: Payload = [
    "originalTransactionId": "t1", "productId": "monthly", "autoRenewProductId": "monthly",
    "signedDate": day("3-21"), "environment": "Production",
]

/// A version 2 notification with signed records.
func serverNotification(
    _ type: String, _ subtype: String? = nil, uuid: String = "n1", on signed: String = "3-22",
    transaction: Payload? = nil, renewal: Payload? = nil, status: Int? = nil,
    environment: String = "Production", jws: (Payload) -> String = unsignedJWS
) -> Payload {
    let data: Payload = [
        "environment": environment, "bundleId": "com.example.app", "appAppleId": 7,
    ]
    let payload: Payload = [
        "notificationType": type, "notificationUUID": uuid, "version": "2.0",
        "signedDate": day(signed),
    ]
    return payload.with(
        ("subtype", subtype),
        (
            "data",
            data.with(
                ("signedTransactionInfo", transaction.map(jws)),
                ("signedRenewalInfo", renewal.map(jws)), ("status", status))
        ))
}

/// Imports documents, each as a file, without checking missing signatures.
func importedUnverified(
    _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation
) throws -> ImportResult {
    let files = texts.enumerated().map { ImportFile("\($0).json", $1) }
    return try imported(files, { $0.verifies = false }, sourceLocation: sourceLocation)
}

extension ImportResult {
    /// The events after the first: their lines from the type on, without the envelope.
    func said() throws -> [String] {
        try events.dropFirst().map { event in
            let line = try LineWriter.line(
                of: Event(seq: 1, at: Timestamp(milliseconds: 0), event.fact))
            let beginning = PackedSource.beginning.count + #","type":""#.utf8.count
            return String(decoding: line.dropFirst(beginning).dropLast(), as: UTF8.self)
                .replacing("\"", with: "")
        }
    }
}
