/// The chain of a log up to one line: the number of lines and a hash of all their bytes
/// (event-log.md, 6).
///
/// A value without references: a writer extends a copy and keeps it once the lines are durable.
public struct Chain: BitwiseCopyable, Hashable, Sendable {
    /// The chain value of the last line, or zeros before the first line.
    public private(set) var head: Digest
    /// The number of lines.
    public private(set) var lines: Int

    /// The chain before the first line.
    public init() { self.init(head: .zero, lines: 0) }

    /// Creates the chain up to a line with a known chain value.
    public init(head: Digest, lines: Int) {
        self.head = head
        self.lines = lines
    }

    /// Whether prepared message schedules save work; the system's own hash function can't use them.
    static var takesSchedules: Bool {
        #if canImport(CryptoKit)
            false
        #else
            true
        #endif
    }

    /// Adds a line, given up to the comma before `"chain"`, with its schedules if prepared.
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

    /// The chain value after `head` of a line, given up to the comma before `"chain"`.
    @inline(__always)
    static func value(of content: UnsafeRawBufferPointer, after head: Digest) -> Digest {
        var hash = SHA256()
        head.withBytes { hash.update($0) }
        hash.update(content)
        return hash.finish()
    }

    // MARK: Writing

    /// The bytes that sealing adds to a line.
    static let growth = ChainedLine.endLength - 1

    /// Appends a chain value to a line as its last key, and adds the line to the chain.
    ///
    /// The line must be as ``LineWriter`` writes it, without `chain` and without a newline. Throws
    /// ``WritingProblem`` and changes nothing if the line would exceed the maximum length.
    public mutating func seal(_ line: inout [UInt8]) throws(WritingProblem) {
        try Chain.check(line.count)
        line.withUnsafeBytes { extend(Chain.content(of: $0)) }
        line.removeLast()
        ChainedLine.withEnd(head) { line.append(contentsOf: $0) }
    }

    /// What a line's chain value hashes: the line without its closing brace.
    @inline(__always)
    static func content(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        precondition(line.last == UInt8(ascii: "}"), "a line is an object")
        return UnsafeRawBufferPointer(rebasing: line.dropLast())
    }

    /// Throws if a line of `count` bytes has no room for a chain value.
    static func check(_ count: Int) throws(WritingProblem) {
        guard count + growth <= LineDecoder.maximumLineLength else {
            throw WritingProblem(
                .chain, seen: "a line of \(count + growth) bytes with its chain value",
                .range(1...Int64(LineDecoder.maximumLineLength)))
        }
    }

    // MARK: Reading

    /// Checks that a line, given without its newline, continues the chain, and adds it.
    ///
    /// Returns `nil` on success; otherwise returns why the line doesn't continue the chain, and
    /// leaves the chain unchanged.
    public mutating func follow(_ line: UnsafeRawBufferPointer) -> ChainBreak? {
        guard line.count <= LineDecoder.maximumLineLength else { return .tooLong }
        guard let parts = ChainedLine(line) else { return .noValue }
        let value = Chain.value(of: parts.content, after: head)
        guard value == parts.value else { return .otherValue(expected: value, seen: parts.value) }
        head = value
        lines &+= 1
        return nil
    }
}

/// Why a line doesn't continue a chain.
public enum ChainBreak: Hashable, Sendable {
    /// The line exceeds the maximum length.
    case tooLong
    /// The line has no newline, but the log continues.
    case noEnd
    /// The line doesn't end in a chain value.
    case noValue
    /// The chain value doesn't match the line and the chain before it: a byte was changed, or a
    /// line was added, removed or moved.
    case otherValue(expected: Digest, seen: Digest)
}

extension ChainBreak: CustomStringConvertible {
    /// What was expected and what was seen.
    public var description: String {
        switch self {
        case .tooLong: LineDecoder.lineTooLong.message
        case .noEnd: "expected an end of line"
        case .noValue: "expected `\"chain\":\"…\"}` at its end, seen none"
        case .otherValue(let expected, let seen):
            "expected the chain value \(expected) for this line after the previous lines, seen "
                + "\(seen)"
        }
    }
}
