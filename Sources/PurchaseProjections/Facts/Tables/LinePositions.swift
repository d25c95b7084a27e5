import PurchaseEvents

/// The `seq` of each line of a log.
///
/// Usually `seq` grows by one a line, so only the exceptions are stored, at sixteen bytes each.
struct LinePositions: Sendable, Snapshotted {
    /// From `line` on, each `seq` is its line number plus `shift`.
    private struct Stretch: Sendable {
        var line: LineNumber
        var shift: Int64
    }

    private var stretches: [Stretch] = []
    private var shift: Int64 = .min

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&stretches).visit(&shift) }

    /// Records the `seq` of an event's line; lines arrive in order.
    @inline(__always)
    mutating func note(_ seq: Int64, of line: LineNumber) {
        // Cannot overflow: a `seq` has at most 53 bits and a line number 32.
        let new = seq &- Int64(line)
        if new != shift { begin(new, at: line) }
    }

    @inline(never)
    private mutating func begin(_ new: Int64, at line: LineNumber) {
        shift = new
        stretches.append(Stretch(line: line, shift: new))
    }

    /// The `seq` of an event's line; for another line, the `seq` that an event there would have.
    ///
    /// Is `nil` before the first event. Cost: a binary search among the breaks in `seq`.
    func seq(of line: LineNumber) -> Int64? {
        let next = stretches.lowerBound { $0.line > line }
        return next == 0 ? nil : stretches[next - 1].shift &+ Int64(line)
    }
}
