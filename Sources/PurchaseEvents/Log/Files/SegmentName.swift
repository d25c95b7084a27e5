/// The name of a segment: how many bytes of the log lie before it, in sixteen digits.
///
/// So the names alone say how the segments hang together: a log is the bytes of each segment up to
/// where the next one begins. What a segment holds behind that place was never acknowledged; a
/// segment that ends before it has lost something.
package struct SegmentName: Hashable, Sendable {
    /// The bytes of the log before the segment.
    package let start: Int64

    /// The name of the segment that begins behind so many bytes.
    package init(start: Int64) { self.start = start }

    /// `nil` where a file isn't named as a segment is.
    package init?(_ name: String) {
        let digits = name.utf8.prefix(SegmentName.digits)
        guard name.utf8.count == SegmentName.digits + SegmentName.ending.utf8.count,
            name.hasSuffix(SegmentName.ending), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let start = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self.start = start
    }

    /// The segments among the names in a folder, in their order.
    package static func all(among names: [String]) -> [SegmentName] {
        names.compactMap { SegmentName($0) }.sorted { $0.start < $1.start }
    }

    /// The name of the file.
    package var text: String {
        let number = String(start)
        let zeros = String(repeating: "0", count: max(0, SegmentName.digits - number.utf8.count))
        return zeros + number + SegmentName.ending
    }

    private static let digits = 16
    private static let ending = ".jsonl"
}
