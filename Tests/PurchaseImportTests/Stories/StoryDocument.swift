import Foundation
import TestSupport

@testable import PurchaseImport

/// Documents of the App Store, each from a line of a story.
///
/// A document is a kind and words. A word names a record, with the members in which it differs as
/// JSON: `march{"expires_date_ms":"@4-20"}`, where `@4-20` is a day of 2026 in milliseconds, and
/// `null` removes a member. `KEY=` before a record puts it into the document under that key, and
/// JSON alone changes the document itself. The kinds are:
///
/// - `v1 TYPE` with the records `february`, `march`, `coins` and `row`, and `pending`;
/// - `response` with the same records, those after `in_app=` in the receipt, and the `receipt`;
/// - `v2 TYPE SUBTYPE` with the signed records `t2`, `c1`, `renewal` and `app`, and its `data`
///   or `appData`;
/// - `page status NUMBER`, `page history` and `info` with signed records, and `jws` with one;
/// - a signed record decoded; JSON, which is the document as it is, and `raw` before any text, in
///   which `\n` ends a line and `\u{1E}` separates records.
struct StoryDocument {
    typealias Members = [String: Any]
    private typealias Word = (key: String, name: String, changes: String)

    /// Records by their names.
    private static let records = [
        "february": february, "march": march,
        "coins": row("c1", of: "c1", product: "coins", from: "3-1"),
        "row": #"{"original_transaction_id":"t1","product_id":"monthly"}"#,
        "pending": #"{"original_transaction_id":"t1"}"#,
        "t2": march2026.json, "c1": PurchaseImportTests.coins.json, "renewal": plainRenewal.json,
        "app": #"{"receiptType":"Production","bundleId":"com.example.app","appAppleId":7}"#,
    ]
    private static let signed = [
        "t2": "Transaction", "c1": "Transaction", "renewal": "Renewal", "app": "AppTransaction",
    ]

    private let jws: (String) -> String
    private var members: Members = [:]

    /// The text of a document; `jws` signs a payload.
    static func text(_ line: String, jws: @escaping (String) -> String) throws -> String {
        if line.hasPrefix("raw ") {
            return String(line.dropFirst(4)).replacing(#"\n"#, with: "\n")
                .replacing(#"\u{1E}"#, with: "\u{1E}")
        }
        let line = line.replacing(/@(\d+-\d+)/) { "\(day(String($0.1)).milliseconds)" }
        let words = try words(line)
        var document = StoryDocument(jws: jws)
        switch words[0].name {
        case "": return line
        case "jws": return try jws(document.record(words[1]))
        case "v1": try document.makeVersion1(words[1].name, words.dropFirst(2))
        case "v2": try document.makeVersion2(words.dropFirst())
        case "response": try document.makeResponse(words.dropFirst())
        case "info": document.members = try document.signedMembers(words.dropFirst())
        case "page": try document.makePage(words.dropFirst())
        case _: return try document.record(words[0])
        }
        for word in words where word.name.isEmpty {
            try StoryDocument.change(&document.members, word.changes)
        }
        return try json(document.members)
    }

    /// The words of a line: spaces in braces part nothing.
    private static func words(_ line: String) throws -> [Word] {
        var texts: [String] = []
        for part in line.split(separator: " ") {
            let isOpen = texts.last.map { $0.count { $0 == "{" } > $0.count { $0 == "}" } } ?? false
            if isOpen {
                texts[texts.count - 1] += " " + part
            } else {
                texts.append(String(part))
            }
        }
        return try texts.map { text in
            guard let match = text.wholeMatch(of: /(?:(\w+)=)?(\w*)(\{.*\})?/) else {
                throw StoryFile.Mistake("\(line): what is \(text)?")
            }
            return (String(match.1 ?? ""), String(match.2), match.3.map(String.init) ?? "{}")
        }
    }

    private static func object(_ text: String) throws -> Members {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let members = value as? Members else { throw StoryFile.Mistake(text) }
        return members
    }

    private static func json(_ members: Members) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: members, options: options)
        return String(decoding: data, as: UTF8.self)
    }

    private static func change(_ members: inout Members, _ changes: String) throws {
        for (key, value) in try object(changes) { members[key] = value is NSNull ? nil : value }
    }

    private func members(of word: Word) throws -> Members {
        guard let text = StoryDocument.records[word.name] else {
            throw StoryFile.Mistake("there is no record \(word.name)")
        }
        var members = try StoryDocument.object(text)
        try StoryDocument.change(&members, word.changes)
        return members
    }

    private func record(_ word: Word) throws -> String { try StoryDocument.json(members(of: word)) }

    /// The rows and pending renewals; other records go into the document.
    private mutating func read(
        _ words: ArraySlice<Word>
    ) throws -> (rows: [Members], bought: [Members], pending: [Members]) {
        var (rows, bought, pending) = ([Members](), [Members](), [Members]())
        for word in words where word.name != "receipt" {
            switch (word.key, word.name) {
            case ("", ""): break
            case ("", "pending"): pending.append(try members(of: word))
            case ("", _): rows.append(try members(of: word))
            case ("in_app", _): bought.append(try members(of: word))
            case (let key, _): members[key] = try members(of: word)
            }
        }
        return (rows, bought, pending)
    }

    private mutating func makeVersion1(_ type: String, _ words: ArraySlice<Word>) throws {
        members = ["notification_type": type, "environment": "PROD", "bid": "com.example.app"]
        let (rows, _, pending) = try read(words)
        var unified: Members = [
            "environment": "Production", "status": 0, "latest_receipt_info": rows,
        ]
        if !pending.isEmpty { unified["pending_renewal_info"] = pending }
        members["unified_receipt"] = unified
    }

    private mutating func makeResponse(_ words: ArraySlice<Word>) throws {
        members = ["status": 0, "environment": "Production"]
        let (rows, bought, pending) = try read(words)
        var receipt: Members = [
            "receipt_type": "Production", "bundle_id": "com.example.app",
            "request_date_ms": "\(day("7-1").milliseconds)", "in_app": bought,
        ]
        for word in words where word.name == "receipt" {
            try StoryDocument.change(&receipt, word.changes)
        }
        members["receipt"] = receipt
        members["latest_receipt_info"] = rows
        members["pending_renewal_info"] = pending
    }

    private func signedMembers(_ words: ArraySlice<Word>) throws -> Members {
        try words.reduce(into: [:]) { members, word in
            guard !["", "data", "appData"].contains(word.name) else { return }
            guard let kind = StoryDocument.signed[word.name] else {
                throw StoryFile.Mistake("there is no signed record \(word.name)")
            }
            members["signed\(kind)Info"] = try jws(record(word))
        }
    }

    private mutating func makeVersion2(_ words: ArraySlice<Word>) throws {
        let names = words.prefix { $0.name.first?.isUppercase == true }.map(\.name)
        members = [
            "notificationType": names[0], "notificationUUID": "n1", "version": "2.0",
            "signedDate": day("3-22").milliseconds,
        ]
        if names.count > 1 { members["subtype"] = names[1] }
        var data: Members = [
            "environment": "Production", "bundleId": "com.example.app", "appAppleId": 7,
        ]
        data.merge(try signedMembers(words.dropFirst(names.count))) { $1 }
        var place = "data"
        for word in words where ["data", "appData"].contains(word.name) {
            place = word.name
            try StoryDocument.change(&data, word.changes)
        }
        members[place] = data
    }

    private mutating func makePage(_ words: ArraySlice<Word>) throws {
        members = ["environment": "Production", "bundleId": "com.example.app", "appAppleId": 7]
        let records = words.dropFirst()
        if words.first?.name == "status", let status = records.first.flatMap({ Int($0.name) }) {
            var item: Members = ["status": status, "originalTransactionId": "t1"]
            item.merge(try signedMembers(records.dropFirst())) { $1 }
            let group: Members = ["subscriptionGroupIdentifier": "g", "lastTransactions": [item]]
            members["data"] = [group]
        } else {
            let signed = try records.filter { !$0.name.isEmpty }.map { try jws(record($0)) }
            members.merge(["revision": "r", "hasMore": false, "signedTransactions": signed]) { $1 }
        }
    }
}
