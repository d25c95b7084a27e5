/// Arithmetic on what comes from a log: it stays at the ends of its range and never traps.
extension FixedWidthInteger {
    /// Adds, and stays at the greatest or the least value where the sum would pass it.
    mutating func addSaturating(_ other: Self) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? (other > 0 ? .max : .min) : sum
    }

    /// Takes away, and stays at the greatest or the least value where the rest would pass it.
    func subtractingSaturating(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
