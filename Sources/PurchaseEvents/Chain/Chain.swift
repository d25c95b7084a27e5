/// The chain of a log up to one of its lines: how many lines there are, and the hash that stands
/// for every byte of them (event-log.md, 6).
///
/// A trivial value: a writer works on a copy and keeps it once the lines are safe.
public struct Chain: Hashable, Sendable {
    /// The chain value of the last line; zeros before the first.
    public private(set) var head: Digest
    /// How many lines there are.
    public private(set) var lines: Int

    /// The chain before the first line.
    public init() { self.init(head: .zero, lines: 0) }

    /// The chain up to a line whose chain value is known.
    public init(head: Digest, lines: Int) {
        self.head = head
        self.lines = lines
    }

    /// Whether schedules that were made ahead save work: the system's own hash takes none.
    static var takesSchedules: Bool {
        #if canImport(CryptoKit)
            false
        #else
            true
        #endif
    }

    /// Takes in a line, given up to the comma before `"chain"`; its chain value is the new head.
    ///
    /// The schedules are those of its blocks, where they were made ahead
    /// (``PortableSHA256/prepare(_:to:)``).
    @inline(__always)
    mutating func extend(
        _ content: UnsafeRawBufferPointer, schedules: UnsafePointer<UInt32>? = nil
    ) {
        if let schedules {
            head = PortableSHA256.hash(head, content, schedules: schedules)
        } else {
            head = Chain.value(of: content, after: head)
        }
        lines &+= 1
    }

    /// The chain value of a line, given up to the comma before `"chain"`, after that of the line
    /// before.
    @inline(__always)
    static func value(of content: UnsafeRawBufferPointer, after head: Digest) -> Digest {
        var hash = SHA256()
        head.withBytes { hash.update($0) }
        hash.update(content)
        return hash.finish()
    }

    // MARK: Writing

    /// How many bytes a line grows by when it is sealed.
    static let growth = ChainedLine.endLength - 1

    /// Gives a line its chain value as its last key, and takes the line in.
    ///
    /// The line is as ``LineWriter`` writes it, without `chain` and without its end of line.
    /// Throws ``WritingProblem`` where it would become longer than a line may be, and then changes
    /// nothing.
    public mutating func seal(_ line: inout [UInt8]) throws(WritingProblem) {
        try Chain.check(line.count)
        line.withUnsafeBytes { extend(Chain.content(of: $0)) }
        line.removeLast()
        ChainedLine.withEnd(head) { line.append(contentsOf: $0) }
    }

    /// What the chain value of a line is a hash of: a line as ``LineWriter`` writes it, without its
    /// closing brace.
    @inline(__always)
    static func content(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        precondition(line.last == UInt8(ascii: "}"), "a line is an object")
        return UnsafeRawBufferPointer(rebasing: line.dropLast())
    }

    /// Whether a line of so many bytes has room for its chain value.
    static func check(_ count: Int) throws(WritingProblem) {
        guard count + growth <= LineDecoder.maximumLineLength else {
            throw WritingProblem(
                .chain, seen: "a line of \(count + growth) bytes with its chain value",
                .range(1...Int64(LineDecoder.maximumLineLength)))
        }
    }

    // MARK: Reading

    /// Takes in a line as it was read, without its end of line, where it is the next of the chain.
    ///
    /// Answers why it isn't, and then leaves the chain as it was; `nil` is well.
    public mutating func follow(_ line: UnsafeRawBufferPointer) -> ChainBreak? {
        guard line.count <= LineDecoder.maximumLineLength else { return .tooLong }
        guard let parts = ChainedLine(line) else { return .noValue }
        let value = Chain.value(of: parts.content, after: head)
        guard value == parts.value else {
            return .otherValue(expected: value, seen: parts.value)
        }
        head = value
        lines &+= 1
        return nil
    }
}

/// Why a line is not the next of a chain.
public enum ChainBreak: Hashable, Sendable {
    /// It is longer than a line may be.
    case tooLong
    /// It has no end of line, though the log goes on.
    case noEnd
    /// It doesn't end in a chain value.
    case noValue
    /// Its chain value is not that of its bytes after the line before: one of them was changed, or
    /// a line between them was added, taken out or moved.
    case otherValue(expected: Digest, seen: Digest)
}

extension ChainBreak: CustomStringConvertible {
    /// What was seen and what was expected.
    public var description: String {
        switch self {
        case .tooLong: LineDecoder.lineTooLong.message
        case .noEnd: "expected an end of line"
        case .noValue: "expected `\"chain\":\"…\"}` at its end, seen none"
        case .otherValue(let expected, let seen):
            "expected the chain value \(expected) for these bytes after the lines before, seen "
                + "\(seen)"
        }
    }
}
