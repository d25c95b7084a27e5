import PurchaseEvents

/// Packs the event of a row into bytes, which can wait in a file until all rows are sorted.
///
/// The bytes hold the fingerprint of the `id`, a digest of the content, the place, and the line
/// without `seq` and `at`.
enum PackedRow {
    /// The number of bytes of `{"seq":1,"at":"…"`, which the assembler replaces.
    static let replaced = 40
    private static let headLength = 32

    /// Packs an event.
    static func append(
        id: Fingerprint, place: (file: Int, line: Int), _ rest: Slice<UnsafeRawBufferPointer>,
        to packed: inout [UInt8]
    ) {
        let digest = NameTable.fingerprint(of: UnsafeRawBufferPointer(rebasing: rest)).low
        let head = (
            id.high, id.low, digest, UInt32(clamping: place.file), UInt32(clamping: place.line)
        )
        withUnsafeBytes(of: head) { packed.append(contentsOf: $0.prefix(headLength)) }
        packed.append(contentsOf: rest)
    }

    /// Unpacks an event; its line lacks `seq` and `at`.
    static func read(
        _ packed: UnsafeRawBufferPointer
    ) -> (id: Fingerprint, digest: UInt64, file: UInt32, line: UInt32, rest: Range<Int>) {
        func word(_ offset: Int) -> UInt64 {
            packed.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        func half(_ offset: Int) -> UInt32 {
            packed.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        }
        return (
            Fingerprint(high: word(0), low: word(8)), word(16), half(24), half(28),
            headLength..<packed.count
        )
    }
}

/// Writes the events of rows into one log: by `at`, events with equal times in input order, and
/// each `id` once.
///
/// Memory: about 32 bytes per event, to recognise repetitions.
struct RowAssembler {
    private struct Known {
        var digest: UInt64
        var file: UInt32, line: UInt32
    }

    private let files: [String]
    private let write: ([UInt8]) throws -> Void
    private var known: [Fingerprint: Known] = [:]
    private(set) var remarks = LimitedRemarks()
    /// The number of events, including `log.opened`.
    private(set) var events = 0
    /// The number of repeated rows.
    private(set) var repeated = 0

    init(files: [String], write: @escaping ([UInt8]) throws -> Void) {
        self.files = files
        self.write = write
    }

    /// Writes the log; without events, writes nothing.
    mutating func assemble(
        _ sorter: inout SourceSorter, count: Int, writer: String, _ environment: Environment?
    ) throws {
        known.reserveCapacity(count)
        try sorter.finish()
        var line = LineBuffer()
        while let (key, packed) = try sorter.next() {
            let at = key.date ?? Timestamp(milliseconds: 0)
            if events == 0 {
                events = 1
                let opened = LogOpened<Written>(schema: 1, app: nil, writer: writer)
                try write(
                    try LineWriter.line(
                        of: Event(
                            seq: 1, at: at, environment: environment, .logOpened(opened))))
                line.append(UInt8(ascii: "\n"))
            }
            packed.withUnsafeBytes { append($0, at, to: &line) }
            if line.count >= 1 << 16 {
                try write(Array(line.written))
                line.removeAll()
            }
        }
        try write(Array(line.written))
    }

    private mutating func append(
        _ packed: UnsafeRawBufferPointer, _ at: Timestamp, to line: inout LineBuffer
    ) {
        let row = PackedRow.read(packed)
        let place = Known(digest: row.digest, file: row.file, line: row.line)
        if let before = known.updateValue(place, forKey: row.id) {
            known[row.id] = before
            if before.digest == row.digest {
                repeated += 1
            } else {
                remark(
                    row.file, row.line,
                    "this row has the same `id` as \(shown(before)) but different content; "
                        + "skipped the row")
            }
            return
        }
        events += 1
        line.append(#"{"seq":"#)
        line.append(number: Int64(events))
        line.append(#","at":"#)
        line.append(at)
        let rest = UnsafeRawBufferPointer(rebasing: packed[row.rest])
        line.append(contentsOf: rest.assumingMemoryBound(to: UInt8.self))
        line.append(UInt8(ascii: "\n"))
    }

    private func shown(_ known: Known) -> String {
        "\(EscapedText.escape(files[Int(known.file)])):\(known.line)"
    }

    private mutating func remark(_ file: UInt32, _ line: UInt32, _ message: String) {
        let place = ImportPlace(file: files[Int(file)], line: Int(line), byte: 1, path: "")
        remarks.add(ImportRemark(level: .error, place: place, message: message))
    }
}
