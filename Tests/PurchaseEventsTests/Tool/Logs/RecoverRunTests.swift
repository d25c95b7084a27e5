import Testing

@testable import PurchaseEvents
@testable import replay

/// What `recover.stories` doesn't say of `replay recover`.
struct RecoverRunTests {
    @Test(arguments: [["--dry-run"], []])
    func `a log that is open is left alone`(_ option: [String]) throws {
        let folder = try TemporaryFolder()
        let log = try EventLog.create(at: folder.log, recordedAt: LogSamples.now)
        let ran = replay(["recover"] + option + [folder.log], on: TestHost())
        #expect(ran.status == .ioFailed)
        #expect(ran.error.contains("holding the log's lock"))
        log.close()
    }
}
