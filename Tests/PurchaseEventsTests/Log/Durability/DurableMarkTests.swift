@testable import PurchaseEvents
import TestSupport
import Testing

/// One sync of the mark covers many small batches, and no byte beyond its end.
struct DurableMarkTests {
    private let files = MemoryFiles()

    /// A batch of two lines with 2,146 to 2,150 bytes in total.
    private func batch(_ number: Int) -> [Draft] {
        ["a", "b"].map { LogSamples.draft("\(number)\($0)" + String(repeating: ".", count: 1_000)) }
    }

    @Test func `small batches share one sync of the mark`() throws {
        let log = try LogSamples.create(in: files)
        files.heal()
        var syncs: [Int] = []
        for number in 0..<40 {
            let before = files.trace.count { $0 == .syncFile }
            try log.append(batch(number))
            syncs.append(files.trace.count { $0 == .syncFile } - before)
        }
        // Fifteen batches fit in 32 KiB.
        let marked = syncs.indices.filter { syncs[$0] == 2 }
        #expect(marked == [0, 15, 30])
        #expect(syncs.allSatisfy { 1...2 ~= $0 })
    }

    @Test func `a batch longer than a window gets a mark of its own`() throws {
        let log = try LogSamples.create(in: files)
        try log.append((0..<20).flatMap { batch($0) })
        files.heal()
        try log.append(batch(20))
        #expect(files.trace.count { $0 == .syncFile } == 2)
    }

    @Test func `a new segment gets a mark of its own`() throws {
        let log = try LogSamples.create(in: files, layout: .segments(size: 100_000))
        try log.append(batch(0))
        try log.rotate()
        files.heal()
        try log.append(batch(1))
        try log.append(batch(2))
        #expect(files.trace.count { $0 == .syncFile } == 3)
    }

    @Test func `a crash in any batch of a window keeps the acknowledged events`() throws {
        let log = try LogSamples.create(in: files)
        let images = Protected<[FileImage]>([])
        files.watch { call, image in
            if call == .append { images.withLock { $0.append(image) } }
        }
        for number in 0..<20 { try log.append(batch(number)) }
        files.watch(nil)
        let whole = LogSamples.texts(try LogSamples.entries(log.read()))
        var dice = Dice(seed: 1)
        for (number, image) in images.withLock({ $0 }).enumerated() {
            for crash in CrashKind.allCases + Array(repeating: .reordered, count: 12) {
                let left = MemoryFiles(image.after(crash, &dice))
                let found = try LogSamples.open(
                    in: left, tornTail: .cut(recordedAt: LogSamples.now))
                #expect(found.openingReport.damage == nil, "\(crash) in batch \(number)")
                let texts = LogSamples.texts(try LogSamples.entries(found.read()))
                let safe = 1 + number * 2
                #expect(texts.prefix(safe) == whole.prefix(safe), "\(crash) in batch \(number)")
            }
        }
    }

    @Test(arguments: [
        "durable 0000000000000005 of -000000000000001",
        "durable -000000000000005 of -000000000000001",
        "durable -000000000000005 of 0000000000000001",
        "durable 0000000000000005 of 0000000000000001",
        "durable 9223372036854775807 of 9223372036854775807",
    ])
    func `an invalid mark is ignored`(_ text: String) throws {
        #expect(DurableMark(text.split(separator: " ")) == nil)
        files[LogSamples.path] = Array(LogSamples.opened.utf8)
        files[LogSamples.path + ".lock"] = Array("pid 1\n\(text)\n".utf8)
        #expect(try LogSamples.open(in: files).openingReport.isSound)
    }

    @Test func `after the death of the process, a hole in acknowledged bytes is damage`() throws {
        let log = try LogSamples.create(in: files)
        for number in 0..<3 { try log.append(batch(number)) }
        files.loseProcess()
        var bytes = try #require(files[LogSamples.path])
        bytes.replaceSubrange(3_000..<3_512, with: [UInt8](repeating: 0, count: 512))
        files[LogSamples.path] = bytes
        let found = try LogSamples.open(in: files, tornTail: .cut(recordedAt: LogSamples.now))
        #expect(found.openingReport.damage != nil)
    }
}
