/// The part of a log that is known to be on the disk; the log's writer records it in the lock file.
///
/// The mark may lag behind the truth, but never exceeds it: everything before ``durable`` was
/// synced, so an unreadable line there is damage. The disk may store the sectors of a batch in any
/// order, so a crash can leave whole lines after a hole. Before a batch of several lines is written
/// with ``Durability/disk``, a mark that covers the batch up to ``batchEnd`` is synced; the mark
/// tells a torn batch from damage to acknowledged lines. Small batches share a mark, which is
/// rewritten after each batch and synced once for every ``window`` bytes.
struct DurableMark: Hashable, Sendable {
    var durable: Int64
    /// The offset up to which a crash may have left a batch torn.
    var batchEnd: Int64

    /// The bytes that one sync of the mark covers, at least. After a power loss, damage to the last
    /// ones acknowledged can't be told from a torn batch.
    static let window: Int64 = 32 * 1_024

    /// The greatest offset, for a batch whose end is unknown.
    static let unknownEnd: Int64 = 9_999_999_999_999_999

    static func safe(_ size: Int64) -> DurableMark { DurableMark(durable: size, batchEnd: size) }

    /// The placeholder in the note of a writer that has no mark.
    static let none: StaticString = "durable ---------------- of ----------------\n"
    private static let digits = 16

    /// Writes the mark over the end of a note, in place of the placeholder or an older mark.
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

extension DurableMark {
    init?(_ words: [Substring]) {
        guard words.count == 4, words[0] == "durable", words[2] == "of",
            let durable = Int64(words[1]), let batchEnd = Int64(words[3]),
            durable >= 0, durable <= batchEnd, batchEnd <= DurableMark.unknownEnd
        else { return nil }
        self.init(durable: durable, batchEnd: batchEnd)
    }
}
