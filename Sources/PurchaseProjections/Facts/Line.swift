import PurchaseEvents

/// The place of an event in its log: counted from 1, over all the files of the log.
public typealias LineNumber = UInt32

/// A line as the folds see it: where it is, and its bytes while it is being folded.
public struct Line {
    /// The position of the line in its log, counted from 1.
    public let number: LineNumber
    /// The line's bytes, without its end of line; valid only during the call.
    public var bytes: UnsafeRawBufferPointer { read.bytes }
    private let read: ReadLine

    /// The line that a reader visits.
    ///
    /// - Precondition: a log has at most 2^32 − 1 lines.
    public init(_ read: ReadLine) {
        number = LineNumber(read.number)
        self.read = read
    }

    /// The event with its texts: an `id`, which the read path keeps as a fingerprint, too. Costs a
    /// second decoding, so it is for findings.
    var written: Event<Written>? {
        guard case .event(let event) = LineDecoder().decodeWritten(bytes) else { return nil }
        return event
    }

    /// What stands for those bytes, where the reader has packed them.
    var packedStatement: UnsafeRawBufferPointer? { read.packedStatement }

    /// Calls `body` with the canonical bytes of what the event states: all keys but `seq`, `at`
    /// and `chain`. An ordinary line holds them as they are; others are written anew.
    func withStatement<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let statement = read.canonicalStatement {
            return body(UnsafeRawBufferPointer(rebasing: bytes[statement]))
        }
        var canonical: [UInt8] = []
        if case .event(let event) = LineDecoder().decodeWritten(bytes),
            let written = try? LineWriter.statement(of: event)
        {
            // As in an ordinary line: from the quote of `"type"` up to the closing brace.
            canonical = Array(written.dropFirst().dropLast())
        }
        return canonical.withUnsafeBytes(body)
    }

    /// Calls `body` with all that the line says but `seq`, `at` and `chain`: what the event states,
    /// and behind it what stands under keys that the format doesn't have.
    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let event = read.event, read.notes.contains(where: { $0.code == .unknownKey }) else {
            return withStatement(body)
        }
        return withStatement { statement in
            let content = Array(statement) + UnknownContent.bytes(of: event.type, in: bytes)
            return content.withUnsafeBytes(body)
        }
    }
}
