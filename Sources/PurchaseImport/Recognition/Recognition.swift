import PurchaseEvents

/// Recognises documents by their content and reads their statements.
struct Recognition {
    let remarks: ImportRemarks
    let context: ReadContext

    func sources(of record: RawRecord) -> [StatedSource] {
        switch record.form {
        case .text: return sources(ofText: record.bytes, at: 0)
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

    func sources(
        of document: JSONValue, in surroundings: Surroundings = Surroundings()
    ) -> [StatedSource] {
        if case .string(let text) = document.content {
            return sources(ofText: Array(text.utf8), at: document.offset, in: surroundings)
        }
        if let format = AppStoreFormat.format(of: document, context.options) {
            remarks.count(format.kind)
            let sources = format.readStatements(document, remarks, context)
            return sources + receipts(in: document)
        }
        if let other = OtherDocument(document) {
            remarks.add(other.level, at: document.offset, other.message)
            return []
        }
        switch Envelope(document, in: surroundings, context.options).content {
        case .one(let member): return sources(in: member, of: document)
        case .several(let paths):
            let shown = paths.map { "`\(EscapedText.escape($0))`" }.joined(separator: ", ")
            remarks.add(
                .error, at: document.offset,
                "expected one document in an envelope, seen several, at \(shown); skipped")
        case .none: remarks.add(.error, at: document.offset, Recognition.notRecognised(document))
        }
        return []
    }

    /// The statements of the member of an envelope that is a document, or a list of documents.
    private func sources(in member: Envelope.Member, of envelope: JSONValue) -> [StatedSource] {
        let others = (envelope.members ?? []).count { !$0.value.isAbsent } - 1
        for _ in 0..<max(0, others) { remarks.count(unplaced: "other members", in: "envelopes") }
        let inner = Recognition(
            remarks: remarks.within(at: member.value.offset, path: member.path), context: context)
        return (member.value.elements ?? [member.value]).flatMap {
            inner.sources(of: $0, in: member.surroundings)
        }
    }

    /// The statements of a text: a JWS, a document as JSON, either of them in base64, or a receipt.
    func sources(
        ofText bytes: [UInt8], at offset: Int, in surroundings: Surroundings = Surroundings()
    ) -> [StatedSource] {
        switch DocumentText(bytes) {
        case .json(let bytes, let isBase64):
            guard let inner = surroundings.ofText else { break }
            return sources(ofJSON: bytes, isBase64: isBase64, at: offset, in: inner)
        case .jws(let bytes):
            return SignedPayload.sources(ofJWS: bytes, at: offset, remarks, context)
        case .receipt: return ReceiptFile.sources(ofBase64: bytes, at: offset, remarks, context)
        case nil: break
        }
        remarks.add(.error, at: offset, Recognition.notRecognised("a string"))
        return []
    }

    private func sources(
        ofJSON bytes: [UInt8], isBase64: Bool, at offset: Int, in surroundings: Surroundings
    ) -> [StatedSource] {
        let inner = Recognition(remarks: remarks.within(at: offset, path: ""), context: context)
        do throws(JSONProblem) {
            let document = try JSONReader.document(bytes)
            return (document.elements ?? [document]).flatMap {
                inner.sources(of: $0, in: surroundings)
            }
        } catch {
            let message =
                LegacyReceipt.isBegun(by: bytes)
                ? LegacyReceipt.message
                : "the \(isBase64 ? "base64" : "text") holds invalid JSON: byte "
                    + "\(error.offset + 1): \(error.message); skipped"
            inner.remarks.add(.error, at: 0, message)
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
                let bytes = Array(text.utf8)
                if case .json(let decoded, isBase64: true) = DocumentText(bytes),
                    LegacyReceipt.isBegun(by: decoded)
                {
                    remarks.add(.error, at: value.offset, LegacyReceipt.message)
                    return []
                }
                return ReceiptFile.sources(ofBase64: bytes, at: value.offset, remarks, context)
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

    static func notJSON(_ message: String, at line: Int, _ lost: ClosedRange<Int>) -> String {
        if message == LegacyReceipt.message { return message }
        let (first, last) = (lost.lowerBound, lost.upperBound)
        let words =
            first < last
            ? "skipped lines \(first) to \(last)"
            : "skipped \(line == first ? "this record" : "line \(first)")"
        return "invalid JSON: \(message); \(words)"
    }

    /// The remark on an unrecognised document, with its first keys.
    static func notRecognised(_ document: JSONValue) -> String {
        guard let members = document.members else { return notRecognised(document.kindWords) }
        let keys = members.prefix(4).map { "`\(EscapedText.escape($0.key.excerpt))`" }
        let more = members.count > 4 ? " and more" : ""
        let seen = keys.isEmpty ? "an empty object" : "the keys " + keys.joined(separator: ", ")
        return notRecognised(seen + more)
    }

    private static func notRecognised(_ seen: String) -> String {
        "expected App Store data, seen \(seen); skipped"
    }
}

extension String {
    fileprivate var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}
