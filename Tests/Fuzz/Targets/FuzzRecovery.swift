import TestSupport

@testable import PurchaseEvents

/// Opens arbitrary bytes as the file of a log. Either opening fails and the file stays as it was,
/// or the log begins with the original bytes and the bytes that were cut off are in a file beside
/// it. Opening it again changes nothing.
///
/// Uses the in-memory file system of the tests.
enum RecoveryFuzz {
    private static let path = "folder/app.jsonl"

    static func run(_ input: UnsafeRawBufferPointer) {
        let files = MemoryFiles()
        let given = Array(input)
        files[path] = given
        let isOpened = open(files)
        guard let once = files[path] else { preconditionFailure("the log is still there") }
        let names = (try? files.names(inFolder: "folder")) ?? []
        let tail = names.first { $0.hasPrefix("app.jsonl.tail-") }
        let cut = tail.flatMap { files["folder/\($0)"] } ?? []
        let kept = given.dropLast(cut.count)
        precondition(given.suffix(cut.count).elementsEqual(cut), "what was cut off is beside it")
        precondition(once.starts(with: kept), "what was not cut off is kept")
        guard isOpened else { return }
        precondition(cut.isEmpty == (once == given), "only what is cut is told of")
        precondition(open(files), "what was opened is opened again")
        precondition(files[path] == once, "recovering twice is recovering once")
    }

    /// Opens the log, cuts off a torn tail, and closes the log.
    private static func open(_ files: MemoryFiles) -> Bool {
        do throws(EventLogError) {
            let log = try EventLog.open(
                at: path, durability: .disk,
                tornTail: .cut(recordedAt: Timestamp(milliseconds: 1_767_225_600_000)),
                operations: files)
            log.close()
            return true
        } catch {
            return false
        }
    }
}
