extension [UInt8] {
    /// Bytes that are read until there are so many of them, or until a read gives none.
    ///
    /// `read` is told how many there are already, and where the next ones go.
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
