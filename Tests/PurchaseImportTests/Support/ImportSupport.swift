import Foundation
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport

/// Imports texts as files `0.json`, `1.json`, …, and checks what must hold for every log: its lines
/// decode to its events, without notes, numbered from 1, and are the same when written again.
func imported(
    _ texts: String..., sourceLocation: SourceLocation = #_sourceLocation
) throws -> ImportResult {
    try imported(
        texts.enumerated().map { ImportFile("\($0).json", $1) }, sourceLocation: sourceLocation)
}

func imported(
    _ files: [ImportFile], secret: String? = nil, recordedAt: String? = nil,
    _ change: (inout ImportOptions) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> ImportResult {
    var options = ImportOptions(
        sharedSecret: secret.flatMap { SharedSecret($0.utf8) },
        recordedAt: recordedAt.flatMap { Timestamp($0) })
    change(&options)
    let result = AppStoreImporter().log(of: files, options: options)
    options.threads = 2
    let again = AppStoreImporter().log(of: files, options: options)
    #expect(result.log == again.log, sourceLocation: sourceLocation)
    #expect(result.remarks == again.remarks, sourceLocation: sourceLocation)
    let decoder = LineDecoder()
    let lines = result.log.split(separator: UInt8(ascii: "\n")).map(Array.init)
    try #require(lines.count == result.events.count, sourceLocation: sourceLocation)
    for (line, event) in zip(lines, result.events) {
        let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
        #expect(decoded == .event(event), sourceLocation: sourceLocation)
        #expect(decoder.notes.isEmpty, sourceLocation: sourceLocation)
    }
    let numbers: [Int64] = lines.indices.map { Int64($0) + 1 }
    #expect(result.events.map(\.seq) == numbers, sourceLocation: sourceLocation)
    let ids = result.events.compactMap(\.id)
    #expect(Set(ids).count == ids.count, sourceLocation: sourceLocation)
    return result
}

extension ImportFile {
    /// A file of text.
    init(_ name: String, _ text: String) { self.init(name: name, bytes: Array(text.utf8)) }
}

extension ImportResult {
    /// The log as text.
    var text: String { String(decoding: log, as: UTF8.self) }

    /// The facts of the log after its opening, without receipt rows and notifications.
    var facts: [Fact<Written>] {
        events.dropFirst().map(\.fact).filter { fact in
            switch fact {
            case .receiptListed, .notificationReceived: false
            case _: true
            }
        }
    }

    /// The receipt rows.
    var rows: [ReceiptListed<Written>] {
        events.compactMap { event in
            if case .receiptListed(let row) = event.fact { row } else { nil }
        }
    }

    /// The messages of the remarks of a level.
    func remarks(_ level: Level) -> [String] {
        remarks.filter { $0.level == level }.map(\.description)
    }
}

/// An instant of a day in 2026, given as month and day: `2-20`.
func day(_ text: String) -> Timestamp {
    let parts = text.split(separator: "-").compactMap { Int64($0) }
    let date = CalendarDay(year: 2026, month: parts.first ?? 1, day: parts.last ?? 1)
    return Timestamp(milliseconds: (date?.daysSince1970 ?? 0) * Timestamp.day)
}

/// A receipt row in the App Store's words; `from` and `to` as for ``day(_:)``.
func row(
    _ transaction: String, of original: String = "t1", product: String = "monthly",
    from: String, to: String? = nil
) -> String {
    let end = to.map { #","expires_date_ms":"\#(day($0).milliseconds)""# } ?? ""
    return #"{"transaction_id":"\#(transaction)","original_transaction_id":"\#(original)","#
        + #""product_id":"\#(product)","purchase_date_ms":"\#(day(from).milliseconds)"\#(end)}"#
}

/// A version 1 notification with rows.
func notification(_ type: String, _ rows: [String]) -> String {
    #"{"notification_type":"\#(type)","environment":"PROD","bid":"com.example.app","#
        + #""unified_receipt":{"environment":"Production","status":0,"#
        + #""latest_receipt_info":[\#(rows.joined(separator: ","))]}}"#
}

/// The two months of the line `t1` that most tests use.
let february = row("t1", from: "2-20", to: "3-20")
let march = row("t2", from: "3-20", to: "4-20")
