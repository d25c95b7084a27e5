extension [UInt8] {
    /// Reads until there are `count` bytes or a read returns none; `read` receives the number of
    /// bytes so far and room for the next, and returns how many it read.
    package init<Problem: Error>(
        filling count: Int,
        by read: (_ filled: Int, UnsafeMutableRawBufferPointer) throws(Problem) -> Int
    ) throws(Problem) {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = try bytes.withUnsafeMutableBufferPointer { (all) throws(Problem) in
                let rest = UnsafeMutableBufferPointer(rebasing: all[filled...])
                return try read(filled, UnsafeMutableRawBufferPointer(rest))
            }
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        self = bytes
    }
}
