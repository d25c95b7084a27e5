/// The text of a packed statement (``StatementPacker``): the members after `type`, and the closing
/// brace.
package struct StatementText: ~Copyable {
    private let names: NameTable
    private var place: UnsafeRawPointer
    private var text = LineBuffer()

    /// Restores the text of bytes that a ``StatementPacker`` packed, with their event's names.
    package static func text(of packed: UnsafeRawBufferPointer, _ names: NameTable) -> [UInt8] {
        guard let start = packed.baseAddress, let rank = packed.first else { return [] }
        let type = EventType.byName[Int(rank)]
        var restored = StatementText(names: names, place: start + 1)
        for field in type.canonicalFields where restored.place < start + packed.count {
            let byte = restored.place.load(as: UInt8.self)
            guard byte & ~StatementPacker.otherForm == field.key.rawValue else { continue }
            restored.place += 1
            restored.text.append(UInt8(ascii: ","))
            field.key.quotedName.withUnsafeBufferPointer { restored.text.append(contentsOf: $0) }
            restored.append(field.kind, isOtherForm: byte & StatementPacker.otherForm != 0)
        }
        restored.text.append(UInt8(ascii: "}"))
        return Array(restored.text.written)
    }

    private mutating func append(_ kind: FieldKind, isOtherForm: Bool) {
        switch kind {
        case .name(let role):
            let handle = UInt32(truncatingIfNeeded: number())
            text.append(
                quoted: names.withBytes(of: handle, role) { String(decoding: $0, as: UTF8.self) })
        case .id, .text: appendText(beginsWithUUID: isOtherForm)
        case .time:
            let milliseconds =
                isOtherForm
                ? Int64(word(ofBytes: 4)) * Timestamp.second : Int64(bitPattern: number())
            text.append(Timestamp(milliseconds: milliseconds))
        case .flag: text.append(isOtherForm ? "true" : "false")
        case .currency:
            text.append(quoted: Currency(stored: word(ofBytes: 3))?.code ?? "")
        case .integer: text.append(number: Int64(bitPattern: number()))
        case .word(let words): text.append(quoted: words[Int(number())])
        }
    }

    private mutating func number() -> UInt64 { ShortNumber.read(at: &place) }

    private mutating func word(ofBytes count: Int) -> UInt32 {
        defer { place += count }
        let bytes = UnsafeRawBufferPointer(start: place, count: count)
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func appendText(beginsWithUUID: Bool) {
        text.append(UInt8(ascii: "\""))
        if beginsWithUUID {
            let high = place.loadUnaligned(as: UInt64.self)
            let low = place.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            withUnsafeTemporaryAllocation(byteCount: PackedName.uuidCount, alignment: 8) { bytes in
                _ = PackedName.write(uuid: high, low, to: bytes)
                text.append(contentsOf: UnsafeBufferPointer(bytes.bindMemory(to: UInt8.self)))
            }
            place += 16
        }
        let count = Int(number())
        let rest = UnsafeRawBufferPointer(start: place, count: count)
        text.append(contentsOf: rest.bindMemory(to: UInt8.self))
        place += count
        text.append(UInt8(ascii: "\""))
    }
}
