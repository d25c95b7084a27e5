import PurchaseEvents

/// Recognises documents by their content and reads their statements.
struct Recognition {
    let remarks: ImportRemarks
    let context: ReadContext
    /// The maximum depth of nested envelopes.
    private static let deepestEnvelope = 4

    /// The statements of one record of a file.
    func sources(of record: RawRecord) -> [StatedSource] {
        switch record.form {
        case .jws: return SignedPayload.sources(ofJWS: record.bytes, at: 0, remarks, context)
        case .base64Receipt:
            return ReceiptFile.sources(ofBase64: record.bytes, at: 0, remarks, context)
        case .receipt: return ReceiptFile.sources(of: record.bytes, at: 0, remarks, context)
        case .json: break
        }
        var sources: [StatedSource] = []
        JSONReader.read(record.bytes) { part in
            switch part {
            case .document(let document): sources += self.sources(of: document)
            case .emptyArray(let offset): remarks.add(.note, at: offset, "an empty array")
            case .problem(let problem, let lost):
                remarks.add(.error, at: problem.offset, notJSON(problem, lost))
            }
        }
        return sources
    }

    /// The statements of one document.
    func sources(of document: JSONValue, depth: Int = 0) -> [StatedSource] {
        if case .string(let text) = document.content { return sources(ofText: text, document) }
        let asked = context.options.kind
        let format = AppStoreFormat.all.first { format in
            asked.map { $0 == format.kind } ?? format.recognises(document)
        }
        if document.members != nil, let format {
            remarks.count(format.kind)
            let sources = format.readStatements(document, remarks, context)
            return sources + receipts(in: document)
        }
        if asked == nil, let sources = envelope(document, depth) { return sources }
        remarks.add(.error, at: document.offset, Recognition.notRecognised(document))
        return []
    }

    /// The statements of a JSON string: a JWS or a receipt.
    private func sources(ofText text: String, _ document: JSONValue) -> [StatedSource] {
        let bytes = Array(text.utf8)
        if RecordCutter.beginsJWS(bytes) {
            return SignedPayload.sources(ofJWS: bytes, at: document.offset, remarks, context)
        }
        if Base64Lines.beginReceipt(bytes.prefix { $0 != 0x0A && $0 != 0x0D }) {
            return ReceiptFile.sources(ofBase64: bytes, at: document.offset, remarks, context)
        }
        remarks.add(.error, at: document.offset, Recognition.notRecognised(document))
        return []
    }

    /// The statements of the text inside an envelope, or `nil` if the document isn't an envelope.
    private func envelope(_ document: JSONValue, _ depth: Int) -> [StatedSource]? {
        let keys = ["body", "payload", "message"]
        let body = document.members?.last { keys.contains($0.key.lowercased()) }?.value
        guard let body, case .string(let text) = body.content,
            depth < Recognition.deepestEnvelope
        else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "[") else {
            return RecordCutter.beginsJWS(bytes)
                ? SignedPayload.sources(ofJWS: bytes, at: body.offset, remarks, context) : nil
        }
        let inner = Recognition(
            remarks: remarks.within(at: body.offset, path: "body"), context: context)
        do throws(JSONProblem) {
            let document = try JSONReader.document(bytes)
            return (document.elements ?? [document]).flatMap {
                inner.sources(of: $0, depth: depth + 1)
            }
        } catch {
            inner.remarks.add(
                .error, at: 0,
                "the body is invalid JSON: byte \(error.offset + 1): \(error.message); skipped")
            return []
        }
    }

    /// The statements of the receipts inside a document; if the options don't open receipts, only
    /// counts the receipts.
    private func receipts(in document: JSONValue) -> [StatedSource] {
        let keys = ["latest_receipt", "receipt-data"]
        let places = [document, document["unified_receipt"]].compactMap(\.self)
        return places.flatMap { place in
            keys.flatMap { key -> [StatedSource] in
                guard let value = place[key], case .string(let text) = value.content,
                    !text.isEmpty
                else { return [] }
                guard context.options.opensReceipts else {
                    remarks.count(unplaced: "\(key), which --open-receipts opens", in: "documents")
                    return []
                }
                return ReceiptFile.sources(
                    ofBase64: Array(text.utf8), at: value.offset, remarks, context)
            }
        }
    }
}

// The remarks on input that can't be read.
extension Recognition {
    /// The remark on invalid JSON in the record, with the lines that were skipped.
    fileprivate func notJSON(_ problem: JSONProblem, _ lost: Range<Int>) -> String {
        func line(_ offset: Int) -> Int { remarks.place(of: offset).line }
        return Recognition.notJSON(
            problem.message, at: line(problem.offset),
            line(lost.lowerBound)...line(lost.upperBound - 1))
    }

    /// The remark on invalid JSON, with the lines that were skipped.
    static func notJSON(_ message: String, at line: Int, _ lost: ClosedRange<Int>) -> String {
        let (first, last) = (lost.lowerBound, lost.upperBound)
        let words =
            first < last
            ? "skipped lines \(first) to \(last)"
            : "skipped \(line == first ? "this record" : "line \(first)")"
        return "invalid JSON: \(message); \(words)"
    }

    /// The remark on an unrecognised document, with its first keys.
    static func notRecognised(_ document: JSONValue) -> String {
        let expected = "expected App Store data"
        guard let members = document.members else {
            return "\(expected), seen \(document.kindWords); skipped"
        }
        let keys = members.prefix(4).map { "`\(EscapedText.escape($0.key.excerpt))`" }
        let more = members.count > 4 ? " and more" : ""
        let seen = keys.isEmpty ? "an empty object" : "the keys " + keys.joined(separator: ", ")
        return "\(expected), seen \(seen)\(more); skipped"
    }
}

extension String {
    /// The first characters of a text, for a message.
    fileprivate var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}
