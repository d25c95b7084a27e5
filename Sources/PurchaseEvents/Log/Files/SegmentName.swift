/// The name of a segment: the number of bytes of the log before it, in sixteen digits.
///
/// The names alone determine the log: each segment counts up to the offset where the next one
/// starts. Bytes of a segment beyond that offset were never acknowledged, or the next segment
/// repeats them; a segment that ends before that offset has lost bytes.
package struct SegmentName: Hashable, Sendable {
    package let start: Int64

    package init(start: Int64) { self.start = start }

    package init?(_ name: String) {
        let digits = name.utf8.prefix(SegmentName.digits)
        guard name.utf8.count == SegmentName.digits + SegmentName.ending.utf8.count,
            name.hasSuffix(SegmentName.ending), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let start = Int64(String(decoding: digits, as: UTF8.self))
        else { return nil }
        self.start = start
    }

    /// The segments among the names in a folder, sorted by offset.
    package static func all(among names: [String]) -> [SegmentName] {
        names.compactMap { SegmentName($0) }.sorted { $0.start < $1.start }
    }

    package var text: String {
        let number = String(start)
        let zeros = String(repeating: "0", count: max(0, SegmentName.digits - number.utf8.count))
        return zeros + number + SegmentName.ending
    }

    private static let digits = 16
    private static let ending = ".jsonl"
}
