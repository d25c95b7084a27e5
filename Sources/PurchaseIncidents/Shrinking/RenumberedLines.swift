import PurchaseEvents

/// Lines without `chain`, whose `seq` can be renumbered for each smaller log.
struct RenumberedLines {
    /// Whether `seq` is renumbered; otherwise each line keeps its own.
    let isCounting: Bool
    /// Each line, split around the number of its `seq`; a line that doesn't begin with `seq` has an
    /// empty head.
    private let lines: [(head: [UInt8], seq: [UInt8], tail: [UInt8])]

    init(_ lines: LogLines, isCounting: Bool) {
        self.isCounting = isCounting
        self.lines = lines.indices.map { index in
            var line = Array(lines[index])
            if var members = LineMembers(line), members.has("chain") || members.has("chained") {
                members.set("chain", nil)
                members.set("chained", nil)
                line = members.bytes
            }
            guard line.starts(with: RenumberedLines.start) else { return ([], [], line) }
            let end = line[RenumberedLines.start.count...].firstIndex { !(48...57).contains($0) }
            let digits = RenumberedLines.start.count..<(end ?? line.count)
            return (RenumberedLines.start, Array(line[digits]), Array(line[digits.upperBound...]))
        }
    }

    private static let start = Array(#"{"seq":"#.utf8)

    func log(_ indices: [Int]) -> LogLines {
        var log = LogLines()
        for (place, index) in indices.enumerated() {
            let line = lines[index]
            let seq = isCounting && !line.head.isEmpty ? Array("\(place + 1)".utf8) : line.seq
            log.append(line.head + seq + line.tail)
        }
        return log
    }
}

extension LogLines {
    /// Whether the first line states that the log is chained, or has a chain value itself.
    package var isChained: Bool {
        guard count > 0, let first = LineMembers(Array(self[0])) else { return false }
        return first.has("chain") || first.has("chained")
    }
}
