import PurchaseEvents
import PurchaseProjections

/// Remarks as a SARIF 2.1.0 document, which code hosts can read: one run, one result a line.
///
/// A class, because writing changes `hasResult`.
final class RemarkSARIF: RemarkWriter {
    private let descriptors: [(id: String, object: JSONText)]
    private let indices: [String: Int]
    private var hasResult = false

    /// Creates a document about the rules that ran; each kind of diagnostic also counts as a rule.
    init(_ rules: [RuleInfo]) {
        descriptors =
            rules.map { ($0.id, RemarkSARIF.descriptor($0)) }
            + DiagnosticCode.allCases.map { ($0.rawValue, RemarkSARIF.descriptor($0)) }
        indices = Dictionary(
            descriptors.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

    func begin(_ output: Output) throws(ToolError) {
        try output.line("{\"$schema\":\"\(RemarkSARIF.schema)\",\"version\":\"2.1.0\",\"runs\":[{")
        try output.line(
            "\"tool\":{\"driver\":{\"name\":\"replay\",\"version\":\"\(Tool.version)\",")
        try output.line("\"rules\":[")
        for (index, descriptor) in descriptors.enumerated() {
            let comma = index + 1 < descriptors.count ? "," : ""
            try output.line(descriptor.object.text + comma)
        }
        try output.line("]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[")
    }

    func write(_ remark: Remark, to output: Output) throws(ToolError) {
        try output.line((hasResult ? "," : "") + result(remark).text)
        hasResult = true
    }

    func end(_ output: Output) throws(ToolError) { try output.line("]}]}") }

    private func result(_ remark: Remark) -> JSONText {
        var object = JSONText()
        object.add("ruleId", remark.code)
        object.add("ruleIndex", indices[remark.code])
        object.add("level", remark.level.rawValue)
        let hint = remark.hint.map { "\nhint: \($0.escaped)" } ?? ""
        object.add("message", raw: message(remark.message, then: hint))
        object.add("locations", list: [location(remark.path, remark.line, nil)])
        object.add(
            "relatedLocations", list: remark.notes.map { location($0.path, $0.line, $0.message) })
        var properties = JSONText()
        properties.add("seq", remark.seq)
        properties.add("account", remark.account)
        properties.add("key", remark.key)
        properties.add("byte", remark.byte)
        if properties.text != "{}" { object.add("properties", raw: properties.text) }
        return object
    }

    /// The message object; text from a log is first escaped for a terminal, then as JSON.
    private func message(_ text: String, then suffix: String = "") -> String {
        "{\"text\":\(JSONText.string(text.escaped + suffix))}"
    }

    private func location(_ path: String, _ line: Int, _ text: String?) -> String {
        let uri = JSONText.string(RemarkSARIF.uri(path))
        let place = "{\"artifactLocation\":{\"uri\":\(uri)},\"region\":{\"startLine\":\(line)}}"
        return "{\"physicalLocation\":\(place)\(text.map { ",\"message\":\(message($0))" } ?? "")}"
    }

    private static func descriptor(_ rule: RuleInfo) -> JSONText {
        var object = descriptor(rule.id, rule.level, rule.statement)
        object.add("helpUri", Tool.page(ofRule: rule.id))
        var properties = JSONText()
        properties.add("tags", list: rule.evidence.map { JSONText.string($0) })
        object.add("properties", raw: properties.text)
        return object
    }

    private static func descriptor(_ code: DiagnosticCode) -> JSONText {
        let what = code.level == .error ? "a line that was not understood" : "a line that was read"
        return descriptor(code.rawValue, code.level, "\(code.rawValue): a diagnostic on \(what)")
    }

    private static func descriptor(_ id: String, _ level: Level, _ text: String) -> JSONText {
        var object = JSONText()
        object.add("id", id)
        object.add("shortDescription", raw: "{\"text\":\(JSONText.string(text))}")
        object.add("defaultConfiguration", raw: "{\"level\":\"\(level.rawValue)\"}")
        return object
    }

    /// The URI reference for a path: an absolute path becomes a `file:` URI; bytes other than
    /// unreserved characters and slashes are percent-encoded.
    static func uri(_ path: String) -> String {
        let bytes = path.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || "-._~/".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return (path.hasPrefix("/") ? "file://" : "") + bytes.joined()
    }
}
