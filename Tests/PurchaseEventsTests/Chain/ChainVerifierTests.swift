import TestSupport
import Testing

@testable import PurchaseEvents

struct ChainVerifierTests {
    @Test func `a log may span several files`() throws {
        let log = try ChainedLog(20)
        let verifier = ChainVerifier(expecting: .init(checkpoint: log.checkpoint(20)))
        for part in [0..<1, 1..<1, 1..<12, 12..<20] {
            try verifier.read(MemorySource(log.lines[part].allBytes()))
        }
        #expect(verifier.finish() == .intact)
        #expect(verifier.chain == log.chains[20])
        #expect(verifier.origin == "a 2026-02-20T09:00:00.000Z")
    }

    @Test func `only the last file may end in the middle of a line`() throws {
        let log = try ChainedLog(4)
        let (first, second) = (log.lines[0] + log.lines[1], log.lines[2] + log.lines[3])
        let torn = ChainVerifier()
        try torn.read(MemorySource(first))
        try torn.read(MemorySource(second.dropLast(5)))
        #expect(torn.finish() == .torn(line: 4))
        let damaged = ChainVerifier()
        try damaged.read(MemorySource(first.dropLast()))
        try damaged.read(MemorySource(second))
        #expect(damaged.finish() == .damaged(line: 2, .noEnd))
        try damaged.read(MemorySource(second))
        #expect(damaged.finish() == .damaged(line: 2, .noEnd))
    }

    @Test func `the verdict doesn't depend on blocks or the size of reads`() throws {
        let log = try ChainedLog(300, salt: String(repeating: "s", count: 1_000))
        var dice = Dice(seed: 3)
        for threads in [1, 2, 3] {
            #expect(try log.verdict(log.bytes, threads: threads) == .intact)
            for line in [1, 2, 150, 299] {
                var lines = log.lines
                lines[line][dice.below(900)] ^= 2
                let verdict = try log.verdict(lines.allBytes(), threads: threads)
                #expect(verdict.damagedLine == line + 1)
            }
            let known = try log.verdict(
                log.bytes, checkpoint: log.checkpoint(111), head: log.chains[277].head,
                threads: threads)
            #expect(known == .intact)
            let wrong = Checkpoint(
                origin: "a 2026-02-20T09:00:00.000Z",
                chain: Chain(head: log.chains[111].head, lines: 112))
            #expect(
                try log.verdict(log.bytes, checkpoint: wrong, threads: threads)
                    == .rolledBack(.otherHead))
        }
        let verifier = ChainVerifier()
        try verifier.read(ChoppedSource(log.bytes) { dice.below(5_000) })
        #expect(verifier.finish() == .intact)
    }

    @Test func `a line that is too long is damage, or torn at the end of the log`() throws {
        let log = try ChainedLog(3)
        let long = [UInt8](repeating: 0, count: 200_000)
        for count in [65_537, 70_000, 131_072, 200_000] {
            let tail = Array(long[..<count])
            #expect(try log.verdict(log.bytes + tail) == .torn(line: 4))
            #expect(
                try log.verdict(log.bytes + tail + [0x0A]) == .damaged(line: 4, .tooLong))
            let more = try log.verdict(log.bytes + tail + [0x0A] + log.lines[1])
            #expect(more == .damaged(line: 4, .tooLong))
        }
    }

    @Test func `the kind of damage doesn't depend on which blocks are read together`() throws {
        let log = try ChainedLog(240, salt: String(repeating: "s", count: 1_000))
        let long = [UInt8](repeating: 0x20, count: 140_000)
        for line in [20, 50, 110, 140, 170, 200] {
            let before = log.lines[..<line].allBytes() + long
            let damaged = before + [0x0A] + log.lines[line]
            for threads in [1, 2] {
                #expect(
                    try log.verdict(damaged, threads: threads)
                        == .damaged(line: line + 1, .tooLong), "\(line) lines, \(threads) threads")
                #expect(
                    try log.verdict(before, threads: threads) == .torn(line: line + 1),
                    "\(line) lines, \(threads) threads")
            }
        }
    }

    @Test func `reading continues after a line that is too long in an unchained log`() throws {
        let bare = try ChainedLog(240, isChained: false, salt: String(repeating: "s", count: 1_000))
        let chained = try ChainedLog(2).lines[1]
        let long = [UInt8](repeating: 0x20, count: 140_000) + [0x0A]
        for line in [20, 50, 110, 140, 170, 200] {
            let bytes = bare.lines[..<line].allBytes() + long + bare.lines[line]
            for threads in [1, 2] {
                #expect(try bare.verdict(bytes, threads: threads) == .unchained)
                #expect(
                    try bare.verdict(bytes + chained, threads: threads)
                        == .damaged(line: 1, .noValue))
            }
        }
    }

    @Test func `a first line that lost its chain value is damaged`() throws {
        let log = try ChainedLog(3)
        let bare = try ChainedLog(3, isChained: false)
        #expect(
            try log.verdict(bare.lines[0] + log.lines[1]) == .damaged(line: 1, .noValue))
        let opened = log.lines[0].dropLast(1 + ChainedLine.endLength) + Array("}\n".utf8)
        #expect(try log.verdict(Array(opened)) == .damaged(line: 1, .noValue))
        #expect(try log.verdict(Array(log.lines[0].dropLast(90))) == .torn(line: 1))
        #expect(try log.verdict(log.lines[1] + log.lines[2]).damagedLine == 1)
    }

    @Test func `blank lines, carriage returns and byte order marks are damage`() throws {
        let log = try ChainedLog(3)
        #expect(try log.verdict([0x0A] + log.bytes) == .damaged(line: 1, .noValue))
        #expect(try log.verdict(log.bytes + [0x0A]) == .damaged(line: 4, .noValue))
        #expect(try log.verdict([0xEF, 0xBB, 0xBF] + log.bytes).damagedLine == 1)
        let returned = Array(log.bytes.dropLast()) + [0x0D, 0x0A]
        #expect(try log.verdict(returned) == .damaged(line: 3, .noValue))
    }
}
