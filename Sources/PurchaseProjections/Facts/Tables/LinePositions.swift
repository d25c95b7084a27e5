import PurchaseEvents

/// The positions that a log gives its lines, by their `seq`.
///
/// Mostly each is one more than that of the line before, so that only where they aren't something
/// is kept, sixteen bytes.
struct LinePositions: Sendable {
    /// From a line on the `seq` of each is so much more than its number.
    private struct Stretch: Sendable {
        var line: LineNumber
        var shift: Int64
    }

    private var stretches: [Stretch] = []
    private var shift: Int64 = .min

    /// Takes in the `seq` of an event of a line; lines come in order.
    @inline(__always)
    mutating func note(_ seq: Int64, of line: LineNumber) {
        // A seq has at most 53 bits, a line 32.
        let new = seq &- Int64(line)
        if new != shift { begin(new, at: line) }
    }

    @inline(never)
    private mutating func begin(_ new: Int64, at line: LineNumber) {
        shift = new
        stretches.append(Stretch(line: line, shift: new))
    }

    /// The `seq` of a line that is an event; of another one what it would have. `nil` before the
    /// first event. Costs a search among the places where `seq` is broken.
    func seq(of line: LineNumber) -> Int64? {
        let next = stretches.lowerBound { $0.line > line }
        return next == 0 ? nil : stretches[next - 1].shift &+ Int64(line)
    }
}
