/// Arithmetic on numbers from a log: results saturate at the ends of the range and never trap.
extension FixedWidthInteger {
    @inlinable
    package func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    @inlinable
    package mutating func addSaturating(_ other: Self) { self = addingSaturating(other) }

    @inlinable
    package func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
