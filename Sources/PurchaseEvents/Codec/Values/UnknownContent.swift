/// The content under keys unknown to a line's type, which an `id` also covers (event-log.md, 2).
package enum UnknownContent {
    /// The members of unknown keys of an event's line in a normal form, so equal members give equal
    /// bytes; no bytes if the line has values more than 128 levels deep.
    package static func bytes(of type: EventType, in line: UnsafeRawBufferPointer) -> [UInt8] {
        let known = Set((EventType.envelope + type.schema).map(\.key.wireName) + ["chain"])
        var bytes: [UInt8] = []
        JSONReader.read(Array(line)) { part in
            guard case .document(let object) = part, let members = object.members else { return }
            let unknown = members.filter { !known.contains($0.key) }
            bytes = JSONValue(content: .object(unknown), offset: 0).canonicalBytes()
        }
        return bytes
    }
}
