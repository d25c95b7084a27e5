import PurchaseEvents
import PurchaseSignatures

/// Tells App Store data from a log by the first bytes of an input.
package enum DocumentHead {
    /// What the first record is, such as `a notification of version 2`, though the bytes may end
    /// within it; `nil` if it isn't known to be App Store data. The name's ending tells the
    /// separator of a table.
    package static func words(of head: [UInt8], name: String) -> String? {
        let isLog = LineDecoder().event(on: head.prefix { $0 != 0x0A }) != nil
        guard !isLog else { return nil }
        let options = ImportOptions()
        if let source = try? HeadSource(MemorySource(head)), source.mayBeTable,
            TableCutter(source, name: name, options) != nil
        {
            return "a table with App Store data"
        }
        var cutter = RecordCutter(MemorySource(head))
        guard let part = try? cutter.next() else { return nil }
        switch part {
        case .record(let record): return words(of: record, options)
        case .problem(let message, _, _):
            if message == LegacyReceipt.message { return "a receipt of iOS 6 style" }
            return namesKey(head) ? "App Store data" : nil
        case .tooLarge, .badRow: return nil
        }
    }

    /// Whether the first bytes of a file are a table without App Store data.
    package static func isTableOfOthers(_ head: [UInt8], name: String) -> Bool {
        guard let source = try? HeadSource(MemorySource(head)) else { return false }
        return TableCutter.isTableOfOthers(source, name: name)
    }

    private static func words(of record: RawRecord, _ options: ImportOptions) -> String? {
        switch record.form {
        case .receipt, .base64Receipt: return "a receipt"
        case .text:
            guard case .jws(let text) = DocumentText(record.bytes), let jws = try? JWS(text),
                let payload = try? JSONReader.document(jws.payload)
            else { return nil }
            return article(SignedPayload.all.first { $0.recognises(payload) }?.kind)
        case .json: break
        }
        guard let document = try? JSONReader.document(record.bytes),
            let first = document.elements.map(\.first) ?? document
        else { return nil }
        if case .string(let text) = first.content {
            return Envelope.isDocument(Array(text.utf8), options) ? "App Store data" : nil
        }
        if let format = AppStoreFormat.format(of: first, options) { return article(format.kind) }
        if case .one = Envelope(first, in: Surroundings(), options).content {
            return "App Store data in an envelope"
        }
        return nil
    }

    private static func article(_ kind: ImportKind?) -> String? {
        kind.map { kind in
            let words = kind.words.one
            return (words.hasPrefix("a") ? "an " : "a ") + words
        }
    }

    /// Whether a record that doesn't end in these bytes has a key of App Store data.
    private static func namesKey(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head.prefix(1 << 14), as: UTF8.self)
        return [
            "signedPayload", "signedTransactionInfo", "signedTransactions", "notificationHistory",
            "notificationType", "notification_type", "latest_receipt", "unified_receipt", "in_app",
        ].contains { text.contains("\"\($0)\"") }
    }
}
