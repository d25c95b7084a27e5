@testable import PurchaseEvents

/// The packed statement of a line.
struct PackedStatement {
    let bytes: [UInt8]
    /// The text that the bytes are restored to.
    let text: String
    /// The text that they must be restored to: the content after `type`, as a writer writes it.
    let expected: String
    let type: EventType

    /// Packs the statement of a line as a reader does; `nil` if the line isn't an event.
    init?(_ line: some Sequence<UInt8>, _ decoder: LineDecoder) {
        let line = Array(line)
        guard case .event(let event) = line.withUnsafeBytes({ decoder.decode($0) }),
            case .event(let read) = line.withUnsafeBytes({ LineDecoder().decodeWritten($0) }),
            let content = try? LineWriter.content(of: read)
        else { return nil }
        bytes = line.withUnsafeBytes { line in
            guard decoder.canonicalContent(line, event.type) != nil else {
                return LineDecoder.packedStatement(of: event, line)
            }
            return decoder.packedStatement(line, of: event)
        }
        text = bytes.withUnsafeBytes {
            String(decoding: StatementText.text(of: $0, decoder.names), as: UTF8.self)
        }
        type = event.type
        let start = #"{"type":"\#(type.wireName)""#
        expected = String(decoding: content.dropFirst(start.utf8.count), as: UTF8.self)
    }
}
