import PurchaseEvents
import TestSupport
import Testing

@testable import replay

/// A log that has grown little leaves the state in the file of `--resume` as it is: only how the
/// run ended is written, in place.
struct ResumeInPlaceTests {
    private static let path = "log.jsonl"
    private static let command = ["check", "--format=json", "--new"]

    private let lines: [ArraySlice<UInt8>]

    init() throws {
        let host = TestHost()
        let made = ["generate", "--seed=5", "--events=900", "--faults=all"]
        #expect(Tool.run(made, on: host) == .well)
        lines = Array(host.output.utf8).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count >= 900)
    }

    /// The log's first lines.
    private func first(_ count: Int) -> [UInt8] {
        lines[..<count].flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    /// A run over the first lines with the file of an earlier one, which it changes.
    private func run(
        _ count: Int, _ state: inout [UInt8]?, _ command: [String] = command, room: Int? = nil
    ) -> Ran {
        let host = TestHost()
        (host.files["state"], host.files[Self.path], host.room) = (state, first(count), room)
        let status = Tool.run(command + ["--resume=state", Self.path], on: host)
        state = host.files["state"]
        #expect(host.files["state.part"] == nil)
        return Ran(status: status, output: host.output, error: host.error)
    }

    @Test func `the state stays, the file doesn't grow, and a log that grew much is written anew`()
        throws
    {
        var state: [UInt8]?
        _ = run(870, &state)
        let whole = try #require(state)
        for count in [875, 875, 880] {
            _ = run(count, &state)
            let changed = try #require(state)
            #expect(changed.count < whole.count + whole.count / 10, "\(count)")
            let kept = ResumeHead.size..<whole.count * 9 / 10
            #expect(changed[kept] == whole[kept], "\(count)")
        }
        _ = run(900, &state)
        #expect(state?[ResumeHead.size...] != whole[ResumeHead.size...])
    }

    @Test func `a run prints what the run before didn't know`() throws {
        var (state, whole): ([UInt8]?, [UInt8]?)
        var known: [Substring] = []
        for count in stride(from: 840, through: 900, by: Effort.of(whole: 3, part: 6)) {
            let all = run(count, &whole, Self.command + ["--restart"])
            // What names a finding comes before its words.
            let names = all.lines.map { $0.split(separator: ",\"message\"")[0] }
            var expected = names
            for name in known {
                if let place = expected.firstIndex(of: name) { expected.remove(at: place) }
            }
            let new = run(count, &state)
            #expect(new.lines.map { $0.split(separator: ",\"message\"")[0] } == expected)
            #expect(new.status == all.status, "\(count) lines")
            known = names
        }
        #expect(!known.isEmpty)
    }

    @Test func `a run that ends while it writes leaves the old end or the new one`() throws {
        var start: [UInt8]?
        _ = run(870, &start)
        // The first change in place, and a later one.
        for count in [873, 876] {
            var after = start
            let new = run(count, &after)
            for room in stride(from: 0, to: 20_000, by: Effort.of(whole: 100, part: 700)) {
                var state = start
                let failed = run(count, &state, room: room)
                let isWritten = failed.status != .ioFailed
                #expect(isWritten || failed.error.contains("cannot write `state`"))
                let next = run(count, &state)
                #expect(next.status == new.status, "\(room) bytes")
                #expect(next.output == (isWritten ? "" : new.output), "\(room) bytes")
                if isWritten { break }
            }
            start = after
        }
    }

    @Test func `a changed bit and a cut are noticed, or change no answer`() throws {
        var state: [UInt8]?
        _ = run(870, &state, ["stats"])
        _ = run(873, &state, ["stats"])
        let file = try #require(state)
        var after = state
        let right = run(876, &after, ["stats"])
        let step = Effort.of(whole: 7, part: max(1, file.count * 8 / 300))
        var damages: [[UInt8]] = stride(from: 0, to: file.count * 8, by: step).map { bit in
            var damaged = file
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            return damaged
        }
        damages += stride(from: 0, to: file.count, by: step).map { Array(file[..<$0]) }
        var noticed = 0
        for damaged in damages {
            var state: [UInt8]? = damaged
            let seen = run(876, &state, ["stats"])
            guard seen.error.contains("state is damaged") else {
                #expect(seen.status == right.status && seen.output == right.output)
                continue
            }
            noticed += 1
            #expect(state == damaged)
        }
        #expect(noticed > damages.count * 9 / 10)
    }
}
