@testable import PurchaseEvents

/// Decodes arbitrary bytes as one line: the quick and the careful path give the same result, and an
/// event that is written is read back unchanged.
///
/// Every line is decoded. Every fourth line, chosen by its bytes, is decoded in both ways and its
/// diagnostic is checked. Every eighth, if it is an event, is also written and read again, and its
/// statement packed and restored. These checks cost many times as much as decoding.
final class LineFuzz {
    private var quick = LineDecoder()
    private var careful = LineDecoder()
    private var runs = 0
    private let place: UnsafeMutablePointer<LogEvent>

    init() {
        place = .allocate(capacity: 1)
        place.initialize(to: LogEvent())
    }

    deinit { place.deallocate() }

    nonisolated(unsafe) static var instance = LineFuzz()

    func run(_ line: UnsafeRawBufferPointer) {
        runs += 1
        if runs % 10_000 == 1 {
            // A table keeps every name, so use a new table now and then to bound memory.
            let names = NameTable()
            (quick, careful) = (LineDecoder(names: names), LineDecoder(names: names))
        }
        let sum = line.reduce(UInt8(0)) { $0 &+ $1 }
        guard sum & 3 == 0 else {
            _ = quick.decode(line, into: place)
            return
        }
        let decoded = quick.decode(line)
        precondition(decoded == careful.decodeCarefully(line), "the two paths agree")
        precondition(quick.notes == careful.notes, "the two paths note the same")
        guard case .event(let event) = decoded else { return check(decoded, line) }
        guard sum & 7 == 0 else { return }
        _ = quick.decode(line)
        check(event, quick.canonicalContent(line, event.type), line)
        checkPacking(line, event)
    }

    private func check(_ event: LogEvent, _ range: Range<Int>?, _ line: UnsafeRawBufferPointer) {
        guard case .event(let read) = quick.decodeWritten(line) else {
            preconditionFailure("an event is one in any spelling")
        }
        var written: [UInt8]
        do throws(WritingProblem) {
            written = try LineWriter.line(of: read)
        } catch {
            // Escapes can make a line longer than the original.
            precondition(line.count > LineDecoder.maximumLineLength / 6, "\(error)")
            return
        }
        precondition(decodeWritten(written) == .event(read), "an event is read as it was written")
        let text = String(decoding: written, as: UTF8.self)
        precondition(!text.unicodeScalars.contains(where: EscapedText.isUnsafe), "safe to print")
        if let range, let content = try? LineWriter.content(of: read) {
            precondition(
                line[range].elementsEqual(content.dropFirst().dropLast()), "the canonical content")
        }
        var chain = Chain()
        guard (try? chain.seal(&written)) != nil else { return }
        precondition(decodeWritten(written) == .event(read), "a chain value changes no event")
        var followed = Chain()
        precondition(written.withUnsafeBytes { followed.follow($0) } == nil, "a chain is followed")
    }

    private func check(_ decoded: DecodedLine<Interned>, _ line: UnsafeRawBufferPointer) {
        guard case .notUnderstood(let diagnostic) = decoded else { return }
        precondition((1...line.count + 1).contains(diagnostic.byte), "a place in the line")
        precondition(
            !diagnostic.message.unicodeScalars.contains(where: EscapedText.isUnsafe),
            "a message is safe to print")
    }

    private func checkPacking(_ line: UnsafeRawBufferPointer, _ event: LogEvent) {
        guard case .event(let read) = careful.decodeWritten(line),
            let content = try? LineWriter.content(of: read), (try? LineWriter.line(of: read)) != nil
        else { return }
        let other = LineDecoder.packedStatement(of: event, line)
        let text = other.withUnsafeBytes { StatementText.text(of: $0, quick.names) }
        precondition(content.suffix(text.count).elementsEqual(text), "a statement is restored")
        _ = quick.decode(line)
        guard quick.canonicalContent(line, event.type) != nil else { return }
        let packed = quick.packedStatement(line, of: event)
        precondition(packed.count <= StatementPacker.room(for: line.count), "room for it")
        precondition(packed == other, "a canonical line packs as it is written")
    }

    private func decodeWritten(_ line: [UInt8]) -> DecodedLine<Written> {
        line.withUnsafeBytes { quick.decodeWritten($0) }
    }
}

extension LineFuzz {
    /// Runs the lines of an input one by one. An input that begins with an even byte is run as a
    /// single line, because a line to decode may contain a newline. Returns the number of lines.
    func runAll(_ input: UnsafeRawBufferPointer) -> Int {
        guard let first = input.first, first & 1 == 1 else {
            run(input)
            return 1
        }
        var start = 0, count = 0
        while start < input.count {
            let end = input.endOfLine(from: start) ?? input.count
            run(UnsafeRawBufferPointer(rebasing: input[start..<end]))
            (start, count) = (end + 1, count + 1)
        }
        return count
    }
}

#if FUZZING
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #endif

    nonisolated(unsafe) private var lineCount = 0

    /// Called by libFuzzer with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
        if lineCount == 0 { atexit { print("lines: \(lineCount)") } }
        lineCount += LineFuzz.instance.runAll(UnsafeRawBufferPointer(start: start, count: count))
        return 0
    }
#endif
