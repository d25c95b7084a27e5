#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A range of a log's file as a source of bytes for ``LogReader``.
final class FileSource: ByteSource {
    private let file: OwnedFile
    private var offset: Int64
    private let end: Int64

    init(_ file: OwnedFile, from offset: Int64, to end: Int64) {
        self.file = file
        self.offset = offset
        self.end = end
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadProblem) -> Int {
        let room = Int(clamping: min(Int64(buffer.count), max(0, end - offset)))
        guard room > 0 else { return 0 }
        do throws(SystemError) {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<room])
            let count = try file.files.read(file.file, at: offset, into: part)
            // What is asked for was there when the file was opened.
            guard count > 0 else { throw SystemError(code: EIO) }
            offset += Int64(count)
            return count
        } catch {
            throw ReadProblem(code: error.code)
        }
    }
}
