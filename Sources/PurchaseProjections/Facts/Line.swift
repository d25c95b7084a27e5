import PurchaseEvents

/// The number of an event's line, counted from 1 across all files of the log.
public typealias LineNumber = UInt32

/// A line as folds see it: its number, and its bytes during the fold.
public struct Line {
    /// The line's number in its log, counted from 1.
    public let number: LineNumber
    /// The line's bytes without the line ending; valid only during the call.
    public var bytes: UnsafeRawBufferPointer { read.bytes }
    private let read: ReadLine

    /// Creates a line from a line that the reader visits.
    ///
    /// - Precondition: a log has at most 2^32 − 1 lines.
    public init(_ read: ReadLine) {
        number = LineNumber(read.number)
        self.read = read
    }

    /// The event with its texts, including the `id`, which the read path keeps only as a
    /// fingerprint.
    ///
    /// Decodes the line a second time, so use it only for findings.
    var written: Event<Written>? {
        guard case .event(let event) = LineDecoder().decodeWritten(bytes) else { return nil }
        return event
    }

    /// The packed form of the statement, if the reader has packed it.
    var packedStatement: UnsafeRawBufferPointer? { read.packedStatement }

    /// Calls `body` with the canonical bytes of the event's content: every key except `seq`, `at`
    /// and `chain`.
    ///
    /// An ordinary line already contains these bytes; other lines are rewritten.
    func withCanonicalContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let content = read.canonicalContent {
            return body(UnsafeRawBufferPointer(rebasing: bytes[content]))
        }
        var canonical: [UInt8] = []
        if case .event(let event) = LineDecoder().decodeWritten(bytes),
            let written = try? LineWriter.content(of: event)
        {
            // As in an ordinary line: from the quote of `"type"` up to the closing brace.
            canonical = Array(written.dropFirst().dropLast())
        }
        return canonical.withUnsafeBytes(body)
    }

    /// Calls `body` with everything that the line states except `seq`, `at` and `chain`.
    ///
    /// The bytes are the event's content, followed by the values of keys unknown to the format.
    func withContent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        guard let event = read.event, read.notes.contains(where: { $0.code == .unknownKey }) else {
            return withCanonicalContent(body)
        }
        return withCanonicalContent { known in
            let content = Array(known) + UnknownContent.bytes(of: event.type, in: bytes)
            return content.withUnsafeBytes(body)
        }
    }
}
