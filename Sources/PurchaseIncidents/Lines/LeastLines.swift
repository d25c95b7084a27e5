/// Reduces a list of lines to those without which a condition no longer holds.
public enum LeastLines {
    /// Lines for which `holds` is true, and false without any one of them.
    ///
    /// Removes runs of lines from the end of the list, and repeats until no line can go. Keeps the
    /// order. Of lines that can stand for each other, the first stay. Cost: about `k log n` calls
    /// of `holds` for `k` lines that stay of `n`.
    ///
    /// - Precondition: `holds` is true for all the lines.
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
                // The line before the run stays for now: the search for the run tried it.
                end -= run + 1
            }
        }
        return kept
    }

    /// The length of a run of lines that ends before an index and can go; 0 if the last line of it
    /// can't.
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
