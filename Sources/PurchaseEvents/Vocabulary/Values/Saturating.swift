/// Arithmetic on what comes from a log: it stays at the ends of its range and never traps.
extension FixedWidthInteger {
    /// The sum, or the greatest or the least value where the sum would pass it.
    @inlinable
    package func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    /// Adds, and stays at the greatest or the least value where the sum would pass it.
    @inlinable
    package mutating func addSaturating(_ other: Self) { self = addingSaturating(other) }

    /// The difference, or the greatest or the least value where the difference would pass it.
    @inlinable
    package func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
