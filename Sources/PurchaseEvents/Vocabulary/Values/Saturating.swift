/// Arithmetic on numbers from a log: results saturate at the ends of the range and never trap.
extension FixedWidthInteger {
    /// The sum, or the end of the range if the sum overflows.
    @inlinable
    package func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// Adds a number; stops at the end of the range if the sum overflows.
    @inlinable
    package mutating func addSaturating(_ other: Self) { self = addingSaturating(other) }

    /// The difference, or the end of the range if the difference overflows.
    @inlinable
    package func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
