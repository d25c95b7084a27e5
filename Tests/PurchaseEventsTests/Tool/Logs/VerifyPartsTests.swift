import Testing

@testable import PurchaseEvents
@testable import replay

/// `replay seal` and `replay verify` on a log of several files or segments.
struct VerifyPartsTests {
    /// The index of the line at which each file begins.
    private static let bounds = [0, 20, 41, 64]
    private let log: ChainedLog

    init() throws { log = try ChainedLog(64) }

    /// The lines of a log in three files.
    private func parts(_ lines: [[UInt8]]) -> [[UInt8]] {
        zip(VerifyPartsTests.bounds, VerifyPartsTests.bounds.dropFirst()).map { start, end in
            lines[start..<end].allBytes()
        }
    }

    /// The output of a command about the files, named in order.
    private func run(_ command: String, _ files: [[UInt8]], _ options: String...) -> Ran {
        let host = TestHost()
        let names = (1...files.count).map { "\($0).jsonl" }
        for (name, bytes) in zip(names, files) { host.files[name] = bytes }
        return replay([command] + options + names, on: host)
    }

    /// The output of a command about the segments; the name of the last one is `late` bytes too
    /// great.
    private func runSegments(_ command: [String], _ files: [[UInt8]], late: Int64 = 0) -> Ran {
        let host = TestHost()
        // The names of the segments don't depend on their contents.
        var start: Int64 = 0
        for (index, bytes) in files.enumerated() {
            let isLast = index == files.count - 1
            let name = SegmentName(start: start + (isLast ? late : 0)).text
            host.files["log/" + name] = bytes
            start += Int64(parts(log.lines)[index].count)
        }
        return replay(command + ["log"], on: host)
    }

    @Test(arguments: [0, 7, 19, 20, 21, 40, 41, 50, 63])
    func `damage is told in the file and the line in which it is`(_ damaged: Int) throws {
        var lines = log.lines
        lines[damaged][60] ^= 1
        let part = try #require(VerifyPartsTests.bounds.lastIndex { $0 <= damaged })
        let line = damaged - VerifyPartsTests.bounds[part] + 1
        let place = "\(part + 1).jsonl:\(line): damaged: expected the chain value "
        for threads in ["--threads=1", "--threads=2"] {
            let verified = run("verify", parts(lines), threads)
            #expect(verified.status == .violated)
            #expect(verified.output.hasPrefix(place), "\(verified.output)")
            let sealed = run("seal", parts(lines), threads)
            #expect(sealed.status == .violated)
            #expect(sealed.output.isEmpty)
            #expect(sealed.error.hasPrefix("replay: " + place), "\(sealed.error)")
        }
        let segments = runSegments(["verify"], parts(lines))
        let start = VerifyPartsTests.bounds[part]
        let name = SegmentName(start: Int64(log.lines[..<start].allBytes().count)).text
        #expect(segments.status == .violated)
        #expect(segments.output.hasPrefix("log/\(name):\(line): damaged: "), "\(segments.output)")
    }

    @Test func `where a segment is missing, what there is isn't all well`() {
        let commands = [
            ["verify"], ["seal"], ["stats"], ["show", "pending"], ["changes", "pending"],
            ["edit", "--drop=64"], ["test"],
        ]
        for command in commands {
            #expect(runSegments(command, parts(log.lines)).status == .well, "\(command)")
            let ran = runSegments(command, parts(log.lines), late: 1_500)
            #expect(ran.status == .undetermined, "\(command)")
            #expect(ran.error.contains("replay: log: 1,500 bytes are missing before "))
        }
        let sealed = runSegments(["seal"], parts(log.lines), late: 1_500)
        #expect(sealed.output == log.checkpoint(64).text)
    }
}
