import PurchaseEvents

/// The header of a JWS, with the members that the App Store uses (RFC 7515, 4.1).
package struct JWSHeader: Hashable, Sendable {
    /// `alg`, the algorithm of the signature, or `nil` if missing.
    package var algorithm: String?
    /// `kid`, the name of the key; Xcode sets it and the App Store doesn't.
    package var keyIdentifier: String?
    /// `x5c`, the certificates from the leaf to the root, or `nil` if missing.
    package var certificates: [[UInt8]]?

    /// Refuses repeated members, and `crit`, because no critical member is supported.
    package init(_ json: [UInt8]) throws(SignatureProblem) {
        let value = try JWSHeader.object(json)
        let names = value.members.map { $0.map(\.key) } ?? []
        guard Set(names).count == names.count else {
            throw SignatureProblem(.header, "the header repeats a name, expected each once")
        }
        guard value["crit"] == nil else {
            throw SignatureProblem(.header, "the header has `crit`, expected no critical names")
        }
        algorithm = try JWSHeader.text(value["alg"], "alg")
        keyIdentifier = try JWSHeader.text(value["kid"], "kid")
        guard let list = value["x5c"] else { return }
        guard case .array(let elements) = list.content else {
            throw SignatureProblem(
                .header, "`x5c` is \(list.kindWords), expected an array of certificates")
        }
        var certificates: [[UInt8]] = []
        for element in elements {
            let text = try JWSHeader.text(element, "x5c") ?? ""
            do throws(EncodingProblem) {
                certificates.append(try Base64.decode(ArraySlice(text.utf8)))
            } catch {
                throw SignatureProblem(
                    .certificates,
                    "certificate \(certificates.count + 1) of `x5c` is not base64: \(error)")
            }
        }
        self.certificates = certificates
    }

    private static func object(_ json: [UInt8]) throws(SignatureProblem) -> JSONValue {
        var (documents, problem) = ([JSONValue](), JSONProblem?.none)
        JSONReader.read(json) { part in
            switch part {
            case .document(let document): documents.append(document)
            case .emptyArray: break
            case .problem(let found, lost: _): problem = problem ?? found
            }
        }
        if let problem {
            throw SignatureProblem(
                .header,
                "the header is invalid JSON: byte \(problem.offset + 1): \(problem.message)")
        }
        // The reader visits the elements of an array one by one, so check that this is an object.
        let first = json.first { $0 > 0x20 }
        guard documents.count == 1, first == UInt8(ascii: "{") else {
            throw SignatureProblem(.header, "expected the header to be a JSON object")
        }
        return documents[0]
    }

    private static func text(
        _ value: JSONValue?, _ name: String
    ) throws(SignatureProblem) -> String? {
        guard let value else { return nil }
        guard case .string(let text) = value.content else {
            throw SignatureProblem(.header, "`\(name)` is \(value.kindWords), expected a string")
        }
        return text
    }
}
