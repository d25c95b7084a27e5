@testable import PurchaseEvents

/// Any bytes, as the file of a log that is opened: it is refused with an error, or what can be
/// appended to it and read again holds every whole line that it had; opening it twice is opening
/// it once.
///
/// Built with `MemoryFiles` of the test suite, the file system in memory.
enum RecoveryFuzz {
    private static let path = "folder/app.jsonl"

    static func run(_ input: UnsafeRawBufferPointer) {
        let files = MemoryFiles()
        files[path] = Array(input)
        let before = Array(input.prefix(through: input.lastIndex(of: 0x0A) ?? -1))
        guard open(files) else { return }
        guard let once = files[path] else { preconditionFailure("the log is still there") }
        precondition(once.starts(with: before), "whole lines are kept")
        precondition(open(files), "what was opened is opened again")
        precondition(files[path] == once, "recovering twice is recovering once")
    }

    /// Opens the log, cuts a torn tail off, and closes it.
    private static func open(_ files: MemoryFiles) -> Bool {
        do throws(EventLogError) {
            let log = try EventLog.open(
                at: path, durability: .disk, tornTail: .cut, operations: files, visit: nil)
            log.close()
            return true
        } catch {
            return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first bytes up to and with a place; none where it is before the first.
    fileprivate func prefix(through place: Int) -> Slice<UnsafeRawBufferPointer> {
        prefix(place + 1)
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer?, _ count: Int) -> CInt {
    RecoveryFuzz.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
