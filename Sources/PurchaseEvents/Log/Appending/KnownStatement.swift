/// What a line of the log states, to be held against what a draft states.
struct KnownStatement {
    let seq: Int64
    /// The canonical bytes; `nil` where the line says more than the format knows, so that no draft
    /// can state the same.
    let bytes: [UInt8]?
    private let id: String?

    /// `nil` where the line is no event.
    init?(_ line: [UInt8]) {
        let decoder = LineDecoder()
        let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
        guard case .event(let event) = decoded else { return nil }
        seq = event.seq
        id = event.id
        let saysMore = decoder.notes.contains { $0.code == .unknownKey }
        bytes = saysMore ? nil : try? LineWriter.statement(of: event)
    }

    /// Whether the line has that `id`, byte for byte: equal strings may be other bytes.
    func hasID(_ other: String) -> Bool {
        id.map { $0.utf8.elementsEqual(other.utf8) } ?? false
    }
}
