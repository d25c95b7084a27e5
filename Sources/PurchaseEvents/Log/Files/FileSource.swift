/// A range of a log's bytes, as a source for ``LogReader``.
final class FileSource: ByteSource {
    private let bytes: LogBytes
    private var offset: Int64
    private let end: Int64

    init(_ bytes: LogBytes, from offset: Int64, to end: Int64) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        let room = Int(clamping: min(Int64(buffer.count), max(0, end - offset)))
        guard room > 0 else { return 0 }
        do throws(EventLogError) {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
            let count = try bytes.read(at: offset, into: part)
            // These bytes existed when the range was chosen, so the log has shrunk.
            guard count > 0 else { throw .shrank(path: bytes.path, read: end, size: offset) }
            offset += Int64(count)
            return count
        } catch .failed(_, _, let error) {
            throw ReadProblem(code: error.code)
        } catch {
            throw ReadProblem(code: SystemError.inputOutput.code)
        }
    }
}
