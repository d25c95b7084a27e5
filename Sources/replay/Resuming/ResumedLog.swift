import PurchaseEvents

/// A log of a run with `--resume`: the state of the last run, if there is one, and what follows it.
final class ResumedLog {
    /// The reader, which goes on after the lines that were read before.
    let reader: LogReader
    /// Reads the state of the last run; `nil` if the log is read from its start.
    let known: FieldVisitor?
    let pieces: LogPieces
    /// The number of lines that earlier runs have read.
    let knownLines: Int
    /// The places of lines in the files that were read before.
    let places: LinePlaces
    private let mark: LogMark?
    private let log: InputLog
    private let file: ResumeFile

    init(
        _ log: InputLog, _ known: (visitor: FieldVisitor, mark: LogMark)?, threads: Int,
        roles: [NameRole], _ file: ResumeFile
    ) throws(ToolError) {
        self.log = log
        self.file = file
        self.known = known?.visitor
        mark = known?.mark
        pieces = try LogPieces(of: log, after: known?.mark)
        let names = known.map { NameTable(reading: $0.visitor, of: roles) } ?? NameTable(of: roles)
        reader = LogReader(decoder: LineDecoder(names: names), threads: threads)
        if let known { reader.visitFields(known.visitor) }
        knownLines = reader.counts.lines
        var places = LinePlaces()
        for (part, before) in zip(log.parts, known?.mark.parts ?? []) {
            places.begin(part.path, at: before.firstLine)
        }
        self.places = places
    }

    /// Reads the state of the last run, with a closure that visits the command's own.
    func read(_ visit: (FieldVisitor) -> Void) throws(ToolError) {
        guard let known else { return }
        visit(known)
        try file.checkWhole()
    }

    /// Writes the state of the lines read so far, with a closure that visits the command's own.
    func write(_ places: LinePlaces, _ visit: (FieldVisitor) -> Void) throws(ToolError) {
        let parts = zip(pieces.ends, places.firstLines).map { bytes, firstLine in
            LogMark.Part(bytes: bytes, firstLine: firstLine)
        }
        var mark = try LogMark(parts, of: log)
        file.writing.visit(&mark)
        reader.decoder.names.write(to: file.writing)
        reader.visitFields(file.writing)
        visit(file.writing)
        file.rest()
    }
}
