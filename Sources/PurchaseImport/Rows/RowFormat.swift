import PurchaseEvents

enum RowFormat: Hashable, Sendable {
    /// A header line, then one line per row, with cells separated by a byte (RFC 4180): CSV, TSV.
    case separated(by: UInt8)
    /// One object per line.
    case jsonLines

    /// The format of a file, or the reason why it has none.
    ///
    /// A file that begins with `{` holds JSON lines. A file named `.tsv` or `.tab` has tabs. Any
    /// other file has tabs if its header line has a tab; one named `.csv` only if that line has no
    /// comma, which a name with a tab would need.
    static func recognise(_ head: [UInt8], name: String) -> Result<RowFormat, RowMappingProblem> {
        func refused(_ seen: String) -> Result<RowFormat, RowMappingProblem> {
            .failure(RowMappingProblem("expected CSV, TSV or JSON lines in UTF-8, seen \(seen)"))
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            return refused("UTF-16")
        }
        if head.starts(with: [0x1F, 0x8B]) { return refused("a gzip file") }
        guard let first = head.first(where: { !JSONReader.isSpace($0) }) else {
            return refused("an empty file")
        }
        if first == UInt8(ascii: "{") { return .success(.jsonLines) }
        if first == UInt8(ascii: "[") { return refused("a JSON array: write one object a line") }
        let header = head.prefix { $0 != 0x0A && $0 != 0x0D }
        guard !header.contains(0) else { return refused("a binary file") }
        let ending = name.lowercased()
        if ending.hasSuffix(".tsv") || ending.hasSuffix(".tab") {
            return .success(.separated(by: tab))
        }
        let hasCommas = ending.hasSuffix(".csv") && header.contains(comma)
        let hasTabs = header.contains(tab) && !hasCommas
        return .success(.separated(by: hasTabs ? tab : comma))
    }

    private static let tab = UInt8(ascii: "\t")
    private static let comma = UInt8(ascii: ",")
}
