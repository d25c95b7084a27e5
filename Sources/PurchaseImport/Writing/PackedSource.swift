import PurchaseEvents

/// Packs the statements of a record into bytes, which can wait in a file until all records are
/// sorted.
///
/// The lines are canonical except for `seq` and `at`, which the assembler sets.
struct PackedSource {
    /// The beginning of every line, which the assembler replaces with `seq` and `at`.
    static let beginning = Array(#"{"seq":1,"at":"1970-01-01T00:00:00.000Z""#.utf8)

    private(set) var bytes: [UInt8] = []
    /// The facts that the format can't hold.
    private(set) var problems: [(type: EventType, problem: WritingProblem)] = []

    /// Packs the statements of a record.
    ///
    /// - Parameter file: The number of the record's file.
    init(_ source: StatedSource, file: Int) {
        let facts = source.facts.enumerated().map { index, stated in
            pack(stated, of: source, id: "\(source.identity)#\(index + 1)")
        }
        let received = source.received.map { pack($0, of: source, id: nil) }
        bytes.append(contentsOf: Fingerprints.of(source.identity))
        bytes.append(contentsOf: Fingerprints.of(source.content ?? ""))
        append(UInt32(truncatingIfNeeded: file))
        append(UInt32(clamping: source.place.line))
        append(UInt32(clamping: source.place.byte))
        bytes.append(source.recordsEachArrival ? 1 : 0)
        append(received.flatMap(\.self) ?? [])
        append(UInt32(facts.count))
        for (stated, line) in zip(source.facts, facts) {
            bytes.append(
                contentsOf: stated.statement.map { Fingerprints.of($0) } ?? Fingerprints.none)
            append(line ?? [])
        }
    }

    /// The line of a fact, or `nil` if the format can't hold it.
    private mutating func pack(
        _ stated: StatedFact, of source: StatedSource, id: String?
    ) -> [UInt8]? {
        let isOfNotification = source.received != nil && id != nil
        let notification = source.received?.fact.notification
        let event = Event<Written>(
            seq: 1, at: Timestamp(milliseconds: 0),
            id: isOfNotification ? id : id.map { stated.statement ?? $0 },
            source: isOfNotification ? notification : nil,
            account: stated.account.map { AccountID($0) }, environment: source.environment,
            signedAt: stated.signedAt, stated.fact)
        do throws(WritingProblem) {
            return try LineWriter.line(of: event)
        } catch {
            problems.append((event.type, error))
            return nil
        }
    }

    private mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ line: [UInt8]) {
        append(UInt32(line.count))
        bytes.append(contentsOf: line)
    }
}

extension Fact<Written> {
    /// The notification of a `notification.received`; otherwise `nil`.
    fileprivate var notification: NotificationID<Written>? {
        if case .notificationReceived(let received) = self { received.notification } else { nil }
    }
}

/// Computes 16 bytes that identify a text.
enum Fingerprints {
    /// The fingerprint of an absent text.
    static let none = [UInt8](repeating: 0, count: 16)

    /// The fingerprint of a text.
    static func of(_ text: String) -> [UInt8] {
        let words = SHA256.hash(Array(text.utf8)).words
        return (0..<4).flatMap { index in
            withUnsafeBytes(of: words[index].bigEndian) { Array($0) }
        }
    }
}

/// The unpacked statements of a record.
struct UnpackedSource {
    let identity: Fingerprint, content: Fingerprint
    let file: Int
    let place: FilePlace
    let recordsEachArrival: Bool
    /// The line of `notification.received`, or empty if there is none.
    let received: ArraySlice<UInt8>
    /// The lines of the facts, each with the fingerprint of its statement, if any.
    ///
    /// A line is empty if the format can't hold the fact.
    let facts: [(statement: Fingerprint?, line: ArraySlice<UInt8>)]

    /// Unpacks the bytes of a ``PackedSource``.
    ///
    /// - Precondition: ``PackedSource`` packed the bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func number() -> Int {
            defer { rest = rest.dropFirst(4) }
            return rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        func fingerprint() -> Fingerprint {
            func half() -> UInt64 {
                defer { rest = rest.dropFirst(8) }
                return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            }
            return Fingerprint(high: half(), low: half())
        }
        func line() -> ArraySlice<UInt8> {
            let count = number()
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        (identity, content) = (fingerprint(), fingerprint())
        (file, place) = (number(), FilePlace(line: number(), byte: number()))
        recordsEachArrival = rest.popFirst() == 1
        received = line()
        facts = (0..<number()).map { _ in
            let statement = fingerprint()
            return (statement == Fingerprint(high: 0, low: 0) ? nil : statement, line())
        }
    }
}
