import PurchaseEvents

/// Finds the line of a byte in a record with many lines: stores that of every 4,096th byte and
/// counts from there on demand, which takes little memory.
struct BytePlaces {
    private static let step = 4_096

    private let bytes: [UInt8]
    private let start: FilePlace
    /// For each stored byte: the number of ends of line before it, and the start of its line.
    private let known: [(ends: Int, lineStart: Int)]

    init(of bytes: [UInt8], from start: FilePlace = FilePlace()) {
        self.bytes = bytes
        self.start = start
        var known: [(ends: Int, lineStart: Int)] = []
        var place = (ends: 0, lineStart: 0)
        for start in stride(from: 0, to: max(1, bytes.count), by: BytePlaces.step) {
            known.append(place)
            BytePlaces.pass(start..<min(start + BytePlaces.step, bytes.count), of: bytes, &place)
        }
        self.known = known
    }

    /// The place of the byte at an offset, which may be the end of the bytes.
    func place(of offset: Int) -> FilePlace {
        let offset = min(max(0, offset), bytes.count)
        let index = min(offset / BytePlaces.step, known.count - 1)
        var place = known[index]
        BytePlaces.pass(index * BytePlaces.step..<offset, of: bytes, &place)
        let byte = offset - place.lineStart
        return FilePlace(
            line: start.line + place.ends, byte: place.ends == 0 ? start.byte + byte : byte + 1)
    }

    private static func pass(
        _ range: Range<Int>, of bytes: [UInt8], _ place: inout (ends: Int, lineStart: Int)
    ) {
        for offset in range where bytes[offset] == UInt8(ascii: "\n") {
            place = (place.ends + 1, offset + 1)
        }
    }
}
