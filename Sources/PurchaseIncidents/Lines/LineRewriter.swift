import PurchaseEvents

/// Copies lines into a new, unchained log, in portions: `seq` is renumbered, `chain` is removed,
/// and every other byte stays, including unknown keys.
///
/// In events, also removes a byte order mark before the line and a carriage return after it.
struct LineRewriter {
    private static let portion = 1 << 16

    private(set) var events = 0, notUnderstood = 0, blank = 0
    private(set) var wasChained = false
    private var bytes: [UInt8] = []
    private var changes: [Change] = []

    private struct Change {
        var range: Range<Int>
        var bytes: [UInt8] = []
    }

    /// The error for a line that would become longer than the format allows.
    struct TooLong: Error, CustomStringConvertible {
        /// The line's `seq` in the new log, and the number of bytes that the line would have.
        let seq: Int64, count: Int

        var description: String {
            "the line with seq \(seq) would have \(count) bytes: expected at most "
                + "\(LineDecoder.maximumLineLength)"
        }
    }

    var isFull: Bool { bytes.count >= LineRewriter.portion }

    /// Returns the bytes appended since the last call.
    mutating func taken() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    /// Appends the line that a decoder decoded last, and a newline.
    mutating func append(
        _ line: UnsafeRawBufferPointer, _ decoded: DecodedLine<Interned>, by decoder: LineDecoder
    ) throws(TooLong) {
        switch decoded {
        case .event: return try append(event: line, by: decoder)
        case .notUnderstood: notUnderstood += 1
        case .blank: blank += 1
        }
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends the event that a decoder decoded last, with an environment if it has none, and a
    /// newline.
    mutating func append(
        event line: UnsafeRawBufferPointer, by decoder: LineDecoder, environment: Environment? = nil
    ) throws(TooLong) {
        events += 1
        // Events and lines that weren't understood count in `seq`.
        let seq = Int64(events + notUnderstood)
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

    private static let usualStart = Array(#"{"seq":"#.utf8)

    /// Adds the changes that few lines need, in the order of their places.
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

    /// The range of a member with one comma, given the range of its value and the end of the member
    /// removed before it, or 0.
    private static func member(
        of value: Range<Int>, in line: UnsafeRawBufferPointer, after end: Int
    ) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        let quotes = line[..<value.lowerBound].indices.reversed().lazy.filter { line[$0] == quote }
        let key = quotes.dropFirst().first ?? value.lowerBound
        let comma = line[..<key].lastIndex { !JSONReader.isSpace($0) } ?? 0
        if line[comma] == UInt8(ascii: ","), comma >= end { return comma..<value.upperBound }
        let next =
            line[value.upperBound...].firstIndex { !JSONReader.isSpace($0) } ?? value.upperBound
        let hasNext = next < line.count && line[next] == UInt8(ascii: ",")
        return key..<(hasNext ? next + 1 : value.upperBound)
    }
}

extension LineDecoder {
    /// The place for `environment` in the line decoded last, after the keys that precede it; `nil`
    /// if the line has none of those keys.
    var environmentPlace: Int? {
        [Key.type, .id, .source, .account, .device].compactMap { place(of: $0)?.upperBound }.max()
    }
}
