/// How far a log is on the disk for certain, as its writer notes it in the lock file.
///
/// It may be older than the truth, never newer: what lies before ``durable`` was synced, and is
/// damage where it can't be read. A batch of several lines may reach the disk in any order of its
/// sectors, so that whole lines lie behind a hole; a mark whose ``batchEnd`` lies behind such a
/// batch is synced before the batch is written, and tells that from damage to what was
/// acknowledged. Small batches share one: it is noted anew after each, and synced once a
/// ``window``.
struct DurableMark: Hashable, Sendable {
    /// So many bytes are on the disk.
    var durable: Int64
    /// Behind them, a crash may have left a batch of several lines torn up to here.
    var batchEnd: Int64

    /// The bytes that one sync of the mark is good for: after a loss of power, what else was
    /// damaged of the last so many bytes that were acknowledged can't be told from a torn batch.
    static let window: Int64 = 32 * 1_024

    /// The greatest size: no end is known of what is being written.
    static let unknownEnd: Int64 = 9_999_999_999_999_999

    /// The mark of a log that is safe up to its end.
    static func safe(_ size: Int64) -> DurableMark { DurableMark(durable: size, batchEnd: size) }

    init(durable: Int64, batchEnd: Int64) {
        self.durable = durable
        self.batchEnd = batchEnd
    }

    /// `nil` where the words are no mark.
    init?(_ words: [Substring]) {
        guard words.count == 4, words[0] == "durable", words[2] == "of",
            let durable = Int64(words[1]), let batchEnd = Int64(words[3]),
            durable >= 0, durable <= batchEnd, batchEnd <= DurableMark.unknownEnd
        else { return nil }
        self.init(durable: durable, batchEnd: batchEnd)
    }

    /// What stands in a note in place of a mark where there is none.
    static let none: StaticString = "durable ---------------- of ----------------\n"
    /// The digits of a number.
    private static let digits = 16

    /// Writes the mark over the end of a note, where there was none or another.
    func write(overEndOf note: inout [UInt8]) {
        let end = note.count - 1
        DurableMark.write(batchEnd, to: &note, before: end)
        let between: StaticString = " of "
        DurableMark.write(
            durable, to: &note, before: end - DurableMark.digits - between.utf8CodeUnitCount)
    }

    private static func write(_ number: Int64, to note: inout [UInt8], before end: Int) {
        var rest = number
        for place in (end - digits..<end).reversed() {
            note[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
