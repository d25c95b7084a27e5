extension [UInt8] {
    /// Reads until there are `count` bytes or a read returns none.
    ///
    /// `read` receives the number of bytes so far and the buffer for the next bytes, and returns
    /// the number of bytes it read.
    init<Problem: Error>(
        filling count: Int,
        by read: (_ filled: Int, UnsafeMutableRawBufferPointer) throws(Problem) -> Int
    ) throws(Problem) {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let start = filled
            let result = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(Problem) in
                    try read(start, UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
                }
            }
            let more = try result.get()
            if more == 0 { break }
            filled += more
        }
        bytes.removeLast(count - filled)
        self = bytes
    }
}
