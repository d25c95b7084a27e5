import PurchaseEvents
import TestSupport
import Testing

@testable import replay

/// What `--resume` refuses, and that the file stays as it was.
struct ResumeRefusalTests {
    private static let path = "events/valid/refund.jsonl"

    /// A host with a log and the file of a run over its first lines.
    private static func host(_ command: [String] = ["check"]) throws -> TestHost {
        let host = TestHost()
        let bytes = try #require(TestHost.samples("valid").files[path])
        host.files[path] = Array(bytes[..<2_500])
        let status = Tool.run(command + ["--resume=state", path], on: host)
        #expect(status == .well || status == .undetermined)
        #expect(host.files["state"] != nil)
        #expect(host.files["state.part"] == nil)
        host.files[path] = bytes
        return host
    }

    /// Runs on a copy of the host and expects that the file stays.
    private func refuse(
        _ host: TestHost, _ arguments: [String], words: String,
        status: ToolStatus = .undetermined, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let run = TestHost()
        (run.files, run.input) = (host.files, host.input)
        let seen = Tool.run(arguments, on: run)
        #expect(seen == status, sourceLocation: sourceLocation)
        #expect(run.error.contains(words), "\(run.error)", sourceLocation: sourceLocation)
        #expect(run.files["state"] == host.files["state"], sourceLocation: sourceLocation)
        #expect(run.files["state.part"] == nil, sourceLocation: sourceLocation)
    }

    @Test func `a log that was cut, replaced or changed`() throws {
        let host = try ResumeRefusalTests.host()
        let whole = try #require(host.files[Self.path])
        for (bytes, words) in [
            (Array(whole[..<1_000]), "refund.jsonl were read before, seen 1,000"),
            (Array(whole.reversed()), "its first bytes are other than those read before"),
            (whole.enumerated().map { $0.offset == 60 ? $0.element ^ 1 : $0.element }, "its first"),
        ] {
            host.files[Self.path] = bytes
            refuse(host, ["check", "--resume=state", Self.path], words: words)
            let restarted = TestHost(bytes: host.files)
            _ = Tool.run(["check", "--resume=state", "--restart", Self.path], on: restarted)
            #expect(!restarted.error.contains("read before"))
            #expect(restarted.files["state"] != host.files["state"])
        }
    }

    @Test func `another program, other rules and other options`() throws {
        let host = try ResumeRefusalTests.host()
        for options in [["--rule=lifecycle"], ["--max-findings=5"], ["--summary"]] {
            let run = TestHost(bytes: host.files)
            _ = Tool.run(["check", "--resume=state", Self.path] + options, on: run)
            #expect(run.error.contains("with other rules or options"), "\(options)")
            #expect(run.files["state"] != host.files["state"])
        }
        let run = TestHost(bytes: host.files)
        _ = Tool.run(["stats", "--resume=state", Self.path], on: run)
        #expect(run.error.contains("with other rules or options"))
    }

    @Test func `a damaged file`() throws {
        for command in [["stats"], ["check", "--rule=lifecycle"]] {
            let host = try ResumeRefusalTests.host(command)
            let state = try #require(host.files["state"])
            let plain = TestHost(bytes: [Self.path: host.files[Self.path]])
            let status = Tool.run(command + [Self.path], on: plain)
            // Each bit of a small file, or some of a larger one; then each length.
            let bits = state.count * 8
            let step = Effort.of(whole: 1, part: max(1, bits / 1_500))
            for bit in stride(from: 0, to: bits, by: step) {
                var damaged = state
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                try expectDamage(damaged, command, host, "bit \(bit)")
            }
            for count in stride(from: 0, to: state.count, by: max(1, step / 4)) {
                try expectDamage(Array(state[..<count]), command, host, "\(count) bytes")
            }
            try expectDamage(state + [0], command, host, "a byte more")
            #expect(status == .well)
        }
    }

    private func expectDamage(
        _ state: [UInt8], _ command: [String], _ host: TestHost, _ what: String
    ) throws {
        let run = TestHost(bytes: host.files)
        run.files["state"] = state
        let status = Tool.run(command + ["--resume=state", Self.path], on: run)
        #expect(status == .undetermined, "\(what)")
        #expect(run.error.contains("state is damaged"), "\(what): \(run.error)")
        #expect(run.files["state"] == state, "\(what)")
    }

    @Test func `a file that --resume didn't write is never replaced`() throws {
        let host = try ResumeRefusalTests.host()
        let state = try #require(host.files["state"])
        let log = try #require(host.files[Self.path])
        for other in [Array("hello\n".utf8), log, Array(state.dropFirst(40)), [0]] {
            host.files["state"] = other
            for options in [["--restart"], []] {
                let words = "written by --resume: name another file, or delete it"
                refuse(host, ["check", "--resume=state", Self.path] + options, words: words)
            }
        }
        var format = state
        let number = try #require(state.firstRange(of: Array("format ".utf8)))
        format[number.upperBound] = UInt8(ascii: "4")
        for old in [[], format, Array(state[..<100])] {
            host.files["state"] = old
            let run = TestHost(bytes: host.files)
            let ran = replay("check", "--resume=state", "--restart", Self.path, on: run)
            #expect(ran.status == .well)
            #expect(run.files["state"]?.count ?? 0 > 1_000)
        }
        refuse(
            host, ["check", "--restart", "--resume=events", Self.path],
            words: "`events` is not a file", status: .noInput)
    }

    @Test(arguments: [
        (["check", "--resume=state", "-"], "expected a file, seen `-`", ToolStatus.noInput),
        (["check", "--resume=\(path)", path], "would overwrite the input", .usage),
        (
            ["check", "--resume=state", "--until=2026-01-01", path],
            "`--resume` and `--until` exclude each other", .usage
        ),
        (["check", "--new", path], "`--new` goes with --resume", .usage),
        (["stats", "--restart", path], "`--restart` goes with --resume", .usage),
        (["check", "--resume=events", path], "`events` is not a file", .noInput),
    ])
    func `what can't be read again or combined`(
        _ arguments: [String], _ words: String, _ status: ToolStatus
    ) throws {
        let host = try ResumeRefusalTests.host()
        host.input = try #require(host.files[Self.path])
        refuse(host, arguments, words: words, status: status)
    }

    @Test func `what can't be written`() throws {
        let host = try ResumeRefusalTests.host()
        let run = TestHost()
        (run.files, run.room) = (host.files, 100)
        #expect(Tool.run(["check", "--resume=state", Self.path], on: run) == .ioFailed)
        #expect(run.error.contains("cannot write `state`: No space left on device"))
        #expect(run.files["state"] == host.files["state"])
    }
}
