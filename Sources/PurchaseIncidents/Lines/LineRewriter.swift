import PurchaseEvents

/// Puts lines at another place of an unchained log: `seq` is counted anew, `chain` goes, and every
/// other byte stays, unknown keys too.
///
/// A byte order mark before a line and a carriage return after it go.
struct LineRewriter {
    /// The number of events and of lines not understood so far, which count alike in `seq`.
    private(set) var seq: Int64 = 0
    /// Whether any appended line was chained.
    private(set) var wasChained = false
    private var changes: [Change] = []

    /// A range of a line, and the bytes that stand there instead.
    private struct Change {
        var range: Range<Int>
        var bytes: [UInt8] = []
    }

    /// A line that would be longer than the format allows.
    struct TooLong: Error, CustomStringConvertible {
        /// The position of the line in the new log, and the number of bytes that it would have.
        let seq: Int64, count: Int

        var description: String {
            "the line with seq \(seq) would have \(count) bytes: expected at most "
                + "\(LineDecoder.maximumLineLength)"
        }
    }

    /// Appends a line that a decoder decoded last as an event, and its end.
    ///
    /// - Parameter environment: The environment to add to the line, which has none.
    mutating func append(
        event line: UnsafeRawBufferPointer, decodedBy decoder: LineDecoder,
        environment: Environment? = nil, to bytes: inout [UInt8]
    ) throws(TooLong) {
        seq += 1
        changes.removeAll(keepingCapacity: true)
        if let place = decoder.place(of: .seq) {
            changes.append(Change(range: place, bytes: Array("\(seq)".utf8)))
        }
        let isChained = decoder.place(of: .chain) != nil
        if isChained { wasChained = true }
        let isShort = line.starts(with: LineRewriter.usualStart)
        if isChained || environment != nil || !isShort || line.last != UInt8(ascii: "}")
            || decoder.place(of: .chained) != nil
        {
            addRareChanges(line, decoder, environment)
        }
        let start = bytes.count
        var kept = 0
        for change in changes {
            bytes.append(contentsOf: line[kept..<change.range.lowerBound])
            bytes.append(contentsOf: change.bytes)
            kept = change.range.upperBound
        }
        bytes.append(contentsOf: line[kept...])
        let count = bytes.count - start
        guard count <= LineDecoder.maximumLineLength else {
            bytes.removeLast(count)
            throw TooLong(seq: seq, count: count)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a line that is no event as it stands, and an end.
    mutating func append(other line: UnsafeRawBufferPointer, isBlank: Bool, to bytes: inout [UInt8])
    {
        if !isBlank { seq += 1 }
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
    }

    private static let usualStart = Array(#"{"seq":"#.utf8)

    /// Adds the changes that most lines don't need, in the order of their places.
    private mutating func addRareChanges(
        _ line: UnsafeRawBufferPointer, _ decoder: LineDecoder, _ environment: Environment?
    ) {
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { changes.append(Change(range: 0..<3)) }
        if line.last == UInt8(ascii: "\r") {
            changes.append(Change(range: line.count - 1..<line.count))
        }
        if let environment, let place = decoder.environmentPlace {
            let member = Array(#","environment":"\#(environment.rawValue)""#.utf8)
            changes.append(Change(range: place..<place, bytes: member))
        }
        let removed = [Key.chained, .chain].compactMap { decoder.place(of: $0) }
            .sorted { $0.lowerBound < $1.lowerBound }
        var end = 0
        for value in removed {
            let range = LineRewriter.member(of: value, in: line, after: end)
            changes.append(Change(range: range))
            end = range.upperBound
        }
        changes.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The range of a member with one comma, given that of its value.
    ///
    /// - Parameter end: Where the range of the removed member before it ends.
    private static func member(
        of value: Range<Int>, in line: UnsafeRawBufferPointer, after end: Int
    ) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        let quotes = line[..<value.lowerBound].indices.reversed().lazy
            .filter { line[$0] == quote }
        let key = quotes.dropFirst().first ?? value.lowerBound
        let comma = line[..<key].lastIndex { !isSpace($0) } ?? 0
        if line[comma] == UInt8(ascii: ","), comma >= end { return comma..<value.upperBound }
        let next = line[value.upperBound...].firstIndex { !isSpace($0) } ?? value.upperBound
        let hasNext = next < line.count && line[next] == UInt8(ascii: ",")
        return key..<(hasNext ? next + 1 : value.upperBound)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }
}

extension LineDecoder {
    /// Where `environment` belongs in the line decoded last, if that is canonical: behind the last
    /// of the keys before it.
    var environmentPlace: Int? {
        [Key.type, .id, .source, .account, .device]
            .compactMap { place(of: $0)?.upperBound }.max()
    }
}
