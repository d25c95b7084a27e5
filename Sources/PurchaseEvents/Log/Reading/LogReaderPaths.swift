extension LogReader {
    /// Reads a log, a file or a folder of segments, up to its current end or until `visit` returns
    /// `false`.
    ///
    /// Takes no lock. Throws ``EventLogError/noSuchLog(path:)``,
    /// ``EventLogError/notARegularFile(path:seen:)`` or ``EventLogError/failed(_:path:_:)`` if the
    /// log can't be opened, and the errors of ``read(_:_:)`` while reading.
    public func read(logAt path: String, _ visit: (ReadLine) throws -> Bool) throws {
        try read(LogReader.source(ofLogAt: path), visit)
    }

    /// Reads a log several lines at a time, up to its current end or until `visit` accepts fewer
    /// lines than it received.
    ///
    /// `visit` returns the number of lines that it accepted.
    ///
    /// Throws the same errors as ``read(logAt:_:)``.
    public func readLines(logAt path: String, _ visit: (ReadLines) throws -> Int) throws {
        try readLines(LogReader.source(ofLogAt: path), visit)
    }

    private static func source(ofLogAt path: String) throws(EventLogError) -> FileSource {
        let bytes = try LogBytes(at: path, operations: SystemFiles())
        return FileSource(bytes, from: 0, to: try bytes.size())
    }
}
