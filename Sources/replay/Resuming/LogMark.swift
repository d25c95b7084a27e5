import PurchaseEvents

/// How far a log was read, and what was there: later runs recognize the log by it.
struct LogMark: Snapshotted {
    /// A file of the log: the bytes of it that were read, and the number of its first line.
    struct Part: BitwiseCopyable, Hashable {
        var bytes: Int
        var firstLine: Int
    }

    private(set) var parts: [Part] = []
    private var proof = LogProof()

    init() {}

    init(_ parts: [Part], of log: InputLog) throws(ToolError) {
        self.parts = parts
        proof = try LogProof(ofFirst: byteCount) { range throws(ToolError) in
            try bytes(in: range, of: log)
        }
    }

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&parts).visit(&proof) }

    /// Whether a log holds so little after the mark that it costs less to read this again than to
    /// write the state anew.
    func isNearEnd(of log: InputLog) -> Bool { (log.size ?? 0) - byteCount <= byteCount / 64 }

    private var byteCount: Int { parts.reduce(0) { $0 + $1.bytes } }

    /// What is different in a log from the one that was read; `nil` if the log goes on from it.
    func difference(in log: InputLog) throws(ToolError) -> String? {
        guard log.parts.count >= parts.count else {
            return "\(parts.count.counted("file")) were read before, seen "
                + "\(log.parts.count.grouped)"
        }
        for (place, part) in parts.enumerated() {
            let size = log.parts[place].size ?? 0
            let isLast = place == parts.count - 1
            if isLast ? size < part.bytes : size != part.bytes {
                return "\(part.bytes.counted("byte")) of "
                    + "\(log.parts[place].path.escaped) were read before, seen " + size.grouped
            }
        }
        let seen = try LogMark(parts, of: log).proof
        if seen.head != proof.head { return "its first bytes are other than those read before" }
        if seen.tail != proof.tail {
            return "the last of the \(byteCount.counted("byte")) read before are other bytes"
        }
        return nil
    }

    private func bytes(in range: Range<Int>, of log: InputLog) throws(ToolError) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = 0
        for (place, part) in parts.enumerated() {
            let wanted = range.clamped(to: start..<start + part.bytes)
            if !wanted.isEmpty {
                let source = try log.parts[place].source(
                    of: wanted.lowerBound - start..<wanted.upperBound - start)
                bytes += try InputPart.all(of: source, log.parts[place].path)
            }
            start += part.bytes
        }
        return bytes
    }
}
