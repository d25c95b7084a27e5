extension LogReader {
    /// Reads a log by its path, a file or a folder of segments, to where it ends now, or until
    /// `visit` answers `false`.
    ///
    /// It takes no lock. Throws ``EventLogError/noSuchLog(path:)``,
    /// ``EventLogError/notARegularFile(path:seen:)`` or ``EventLogError/failed(_:path:_:)`` where
    /// the log can't be opened, and from then on as ``read(_:_:)`` does.
    public func read(logAt path: String, _ visit: (ReadLine) throws -> Bool) throws {
        try read(LogReader.source(ofLogAt: path), visit)
    }

    /// Reads a log by its path some lines at a time, to where it ends now, or until `visit` takes
    /// fewer than it is given: it answers how many.
    ///
    /// Throws as ``read(logAt:_:)`` does.
    public func readLines(logAt path: String, _ visit: (ReadLines) throws -> Int) throws {
        try readLines(LogReader.source(ofLogAt: path), visit)
    }

    private static func source(ofLogAt path: String) throws(EventLogError) -> FileSource {
        let bytes = try LogBytes(at: path, operations: SystemFiles())
        return FileSource(bytes, from: 0, to: try bytes.size())
    }
}
