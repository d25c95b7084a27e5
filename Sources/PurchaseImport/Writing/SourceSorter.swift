import PurchaseEvents

/// Sorts packed records by date, and records with equal dates in input order.
///
/// When the records in memory reach a size, the sorter sorts them and writes them to a temporary
/// file as a run. At the end it merges all runs, so memory doesn't grow with the import.
struct SourceSorter {
    /// The number of bytes in memory at which a run is written to the file.
    private let runSize: Int
    /// The number of bytes of a run to read at once.
    private let portion: Int

    private var arena: [UInt8] = []
    private var entries: [Entry] = []
    private var runs: [Range<Int>] = []
    private var file: SpillFile?
    private var latest: Timestamp?
    private var order: Int64 = 0
    /// The runs being merged, as a binary heap: the run with the least key is the first.
    private var open: [Run] = []
    /// The number of records returned from memory.
    private var returnedCount = 0
    private(set) var earliest: Timestamp?

    private struct Entry {
        var key: Key
        var bytes: Range<Int>
    }

    /// The sort key of a record: its date, then its number.
    struct Key: Comparable {
        /// The date; `nil` for records before the first one with a date.
        var date: Timestamp?
        var order: Int64

        static func < (left: Key, right: Key) -> Bool {
            let earliest = Timestamp(milliseconds: .min)
            return (left.date ?? earliest, left.order) < (right.date ?? earliest, right.order)
        }
    }

    var count: Int { Int(order) }

    /// Creates a sorter without records; tests pass small sizes.
    init(runSize: Int = 16 << 20, portion: Int = 1 << 18) {
        (self.runSize, self.portion) = (runSize, portion)
    }

    /// Adds a record; a record without a date takes the date of the record before it.
    mutating func add(_ packed: ArraySlice<UInt8>, date: Timestamp?) throws(ReadProblem) {
        if let date { earliest = min(earliest ?? date, date) }
        latest = date ?? latest
        order += 1
        let start = arena.count
        arena.append(contentsOf: packed)
        entries.append(Entry(key: Key(date: latest, order: order), bytes: start..<arena.count))
        if arena.count >= runSize { try spill() }
    }

    private mutating func spill() throws(ReadProblem) {
        // Without a file, all records stay in memory.
        guard let file = file ?? SpillFile() else { return }
        self.file = file
        let start = file.count
        var unwritten: [UInt8] = []
        for entry in entries.sorted(by: { $0.key < $1.key }) {
            Run.append(entry.key, arena[entry.bytes], to: &unwritten)
            if unwritten.count >= portion {
                try file.append(unwritten)
                unwritten.removeAll(keepingCapacity: true)
            }
        }
        try file.append(unwritten)
        runs.append(start..<file.count)
        arena.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Sorts the remaining records; call this once, after adding the last record.
    mutating func finish() throws(ReadProblem) {
        if runs.isEmpty {
            entries.sort { $0.key < $1.key }
        } else {
            try spill()
        }
        guard let file else { return }
        for range in runs {
            var run = Run(file, range, portion: portion)
            if try run.advance() { open.append(run) }
        }
        open.sort { $0.key < $1.key }
    }

    /// The next record by date, or `nil` after the last one.
    mutating func next() throws(ReadProblem) -> (key: Key, record: ArraySlice<UInt8>)? {
        guard let least = open.first else {
            guard returnedCount < entries.count else { return nil }
            defer { returnedCount += 1 }
            return (entries[returnedCount].key, arena[entries[returnedCount].bytes])
        }
        if try !open[0].advance() {
            open.swapAt(0, open.count - 1)
            open.removeLast()
        }
        sinkFirst()
        return (least.key, least.record)
    }

    /// Moves the first run of the heap down to its place.
    private mutating func sinkFirst() {
        var index = 0
        while 2 * index + 1 < open.count {
            var below = 2 * index + 1
            if below + 1 < open.count, open[below + 1].key < open[below].key { below += 1 }
            guard open[below].key < open[index].key else { return }
            open.swapAt(index, below)
            index = below
        }
    }
}

/// One sorted run of the file, read piece by piece.
private struct Run {
    private let file: SpillFile
    private var unread: Range<Int>
    private let portion: Int
    private var bytes: ArraySlice<UInt8> = []
    private(set) var key = SourceSorter.Key(date: nil, order: 0)
    private(set) var record: ArraySlice<UInt8> = []

    init(_ file: SpillFile, _ range: Range<Int>, portion: Int) {
        self.file = file
        self.portion = portion
        unread = range
    }

    /// Writes a record in the form that ``advance()`` reads.
    static func append(
        _ key: SourceSorter.Key, _ record: ArraySlice<UInt8>, to bytes: inout [UInt8]
    ) {
        for number in [key.date?.milliseconds ?? .min, key.order, Int64(record.count)] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: record)
    }

    /// Moves to the next record; returns false at the end of the run.
    mutating func advance() throws(ReadProblem) -> Bool {
        guard try fill(24) else { return false }
        let date = number(), order = number(), count = Int(number())
        guard try fill(count) else { return false }
        key = SourceSorter.Key(
            date: date == .min ? nil : Timestamp(milliseconds: date), order: order)
        record = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return true
    }

    private mutating func number() -> Int64 {
        defer { bytes = bytes.dropFirst(8) }
        return Int64(bitPattern: bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Reads ahead so that `count` bytes are in memory; returns false if the run has fewer.
    private mutating func fill(_ count: Int) throws(ReadProblem) -> Bool {
        while bytes.count < count, !unread.isEmpty {
            let end = min(unread.upperBound, unread.lowerBound + max(portion, count))
            let more = try file.bytes(unread.lowerBound..<end)
            bytes = ArraySlice(Array(bytes) + more)
            unread = more.isEmpty ? end..<end : end..<unread.upperBound
        }
        return bytes.count >= count
    }
}
