import PurchaseEvents

/// A log of a run with `--resume`: the state of the last run, if there is one, and what follows it.
final class ResumedLog {
    /// The state that an earlier run wrote, where it ends, and how the last run ended.
    typealias Before = (visitor: FieldVisitor, mark: LogMark, last: LastRun)

    /// The reader, which goes on after the lines that were read before.
    let reader: LogReader
    let pieces: LogPieces
    let last: LastRun
    /// The places of lines in the files that were read before.
    let places: LinePlaces
    /// Reads the state that an earlier run wrote; `nil` if the log is read from its start.
    private let known: FieldVisitor?
    private let log: InputLog
    private let file: ResumeFile

    init(
        _ log: InputLog, _ known: Before?, threads: Int, roles: [NameRole], _ file: ResumeFile
    ) throws(ToolError) {
        (self.log, self.file) = (log, file)
        self.known = known?.visitor
        last = known?.last ?? LastRun()
        pieces = try LogPieces(of: log, after: known?.mark)
        let names = known.map { NameTable(reading: $0.visitor, of: roles) } ?? NameTable(of: roles)
        reader = LogReader(decoder: LineDecoder(names: names), threads: threads)
        if let known { reader.visitFields(known.visitor) }
        var places = LinePlaces()
        for (part, before) in zip(log.parts, known?.mark.parts ?? []) {
            places.begin(part.path, at: before.firstLine)
        }
        self.places = places
    }

    /// Reads the state of an earlier run, with a closure that visits the command's own.
    func read(_ visit: (FieldVisitor) -> Void) throws(ToolError) {
        guard let known else { return }
        visit(known)
        try file.checkWhole()
    }

    /// Writes the state of the lines read so far, with a closure that visits the command's own,
    /// unless that of the earlier run stays.
    func write(_ places: LinePlaces, _ visit: (FieldVisitor) -> Void) throws(ToolError) {
        let parts = zip(pieces.ends, places.firstLines).map { bytes, firstLine in
            LogMark.Part(bytes: bytes, firstLine: firstLine)
        }
        var mark = try LogMark(parts, of: log)
        file.runs.append(LastRun(mark, lines: reader.counts.lines))
        guard file.changed == nil else { return }
        file.writing.visit(&mark)
        reader.decoder.names.write(to: file.writing)
        reader.visitFields(file.writing)
        visit(file.writing)
        file.rest()
    }
}
