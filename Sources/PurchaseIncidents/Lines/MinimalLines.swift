/// Reduces a list of lines to a minimum for which a condition still holds.
public enum MinimalLines {
    /// Returns lines for which `holds` is true, but false without any one of them.
    ///
    /// Removes runs of lines from the end of the list, and repeats until no line can be removed.
    /// Keeps the order; of interchangeable lines, the first stay. Cost: about `k log n` calls of
    /// `holds`, to keep `k` of `n` lines.
    ///
    /// - Precondition: `holds` is true for the whole list.
    public static func find<Line, Problem: Error>(
        in lines: [Line], where holds: ([Line]) throws(Problem) -> Bool
    ) throws(Problem) -> [Line] {
        if try holds([]) { return [] }
        var kept = lines
        var isReduced = true
        while isReduced {
            isReduced = false
            var end = kept.count
            while end > 0 {
                let run = try removableRun(before: end, of: kept, where: holds)
                kept.removeSubrange(end - run..<end)
                isReduced = isReduced || run > 0
                // The line before the run stays for now, because the search for the run tried it.
                end -= run + 1
            }
        }
        return kept
    }

    /// The length of the longest removable run of lines that ends before an index; 0 if its last
    /// line can't be removed.
    private static func removableRun<Line, Problem: Error>(
        before end: Int, of lines: [Line], where holds: ([Line]) throws(Problem) -> Bool
    ) throws(Problem) -> Int {
        var known = 0
        var step = 1
        var isGrowing = true
        while step > 0 {
            let count = known + step
            let canGo =
                count <= end ? try holds(Array(lines[..<(end - count)] + lines[end...])) : false
            if canGo { known = count }
            isGrowing = isGrowing && canGo
            step = isGrowing ? step * 2 : step / 2
        }
        return known
    }
}
