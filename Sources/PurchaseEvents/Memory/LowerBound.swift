extension RandomAccessCollection where Index == Int {
    /// The first index whose element meets a condition that all later elements also meet; the end
    /// index if none does.
    @inlinable
    package func lowerBound(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
