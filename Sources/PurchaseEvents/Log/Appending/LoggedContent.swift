struct LoggedContent {
    let seq: Int64
    /// The canonical bytes, or `nil` if the line has unknown keys, so that no draft can equal it.
    let bytes: [UInt8]?
    private let id: String?

    init?(_ line: [UInt8]) {
        let decoder = LineDecoder()
        let decoded = line.withUnsafeBytes { decoder.decodeWritten($0) }
        guard case .event(let event) = decoded else { return nil }
        seq = event.seq
        id = event.id
        let saysMore = decoder.notes.contains { $0.code == .unknownKey }
        bytes = saysMore ? nil : try? LineWriter.content(of: event)
    }

    /// Whether the line's `id` has the same bytes; equal Swift strings may have different bytes.
    func hasID(_ other: String) -> Bool { id.map { $0.utf8.elementsEqual(other.utf8) } ?? false }
}
