/// A JSON value of an imported file, with its offset.
///
/// Numbers keep their text, so that large identifiers keep every digit; objects keep the order of
/// their members and repeated keys.
package struct JSONValue: Sendable {
    package var content: Content
    /// The offset of the first byte, counted from 0 at the start of the file.
    package var offset: Int

    package enum Content: Sendable {
        case null
        case flag(Bool)
        case number(String)
        case string(String)
        case array([JSONValue])
        case object([Member])
    }

    package struct Member: Sendable {
        package var key: String
        package var value: JSONValue
    }

    package var members: [Member]? {
        if case .object(let members) = content { members } else { nil }
    }

    /// The value of a key in an object, or `nil`; the last value if the key is repeated.
    package subscript(key: String) -> JSONValue? { members?.last { $0.key == key }?.value }

    package var isAbsent: Bool {
        switch content {
        case .null: true
        case .string(let text): text.isEmpty
        case .flag, .number, .array, .object: false
        }
    }

    /// A text, or a number or boolean that may stand for one; `nil` for any other value.
    package var plainText: String? {
        switch content {
        case .string(let text): text
        case .number(let digits): digits
        case .flag(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    package var isText: Bool { if case .string = content { true } else { false } }

    package var isNumber: Bool { if case .number = content { true } else { false } }

    package var isFlag: Bool { if case .flag = content { true } else { false } }

    package var elements: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var isPlain: Bool { plainText != nil }

    /// The kind of the value for a message, never the value itself.
    package var kindWords: String {
        switch content {
        case .null: "null"
        case .flag: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// The same bytes for all equal values: keys are sorted, spaces are left out, and members with
    /// the key `leftOut` are removed at every depth.
    package func canonicalBytes(without leftOut: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, without: leftOut)
        return bytes
    }

    private func append(to bytes: inout [UInt8], without leftOut: String?) {
        switch content {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .flag(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .string(let text): JSONValue.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for element in elements {
                element.append(to: &bytes, without: leftOut)
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            // Sort by bytes, not characters, for the same order on every platform.
            let sorted = members.filter { $0.key != leftOut }
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for member in sorted {
                JSONValue.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes, without: leftOut)
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
