import Testing

@testable import PurchaseEvents

/// Every manipulation of a chained log of 64 lines is found and reported in the right line.
struct TamperTests {
    private let log: ChainedLog

    init() throws { log = try ChainedLog(64) }

    /// The line at which a walk over the bytes after a line stops, or `nil`.
    private func brokenLine(_ bytes: [UInt8], behind line: Int) -> Int? {
        var walk = ChainWalk(from: log.chains[line])
        bytes.withUnsafeBytes { walk.take(lines: $0) }
        return walk.problem.map { _ in walk.chain.lines + 1 }
    }

    @Test func `the unchanged log is intact`() throws {
        #expect(try log.verdict(log.bytes) == .intact)
        #expect(try log.verdict(log.bytes, threads: 3) == .intact)
        #expect(
            try log.verdict(log.bytes, checkpoint: log.checkpoint(64), head: log.chains[7].head)
                == .intact)
    }

    @Test func `every flipped bit is reported in its line`() throws {
        var flips = 0
        for (index, line) in log.lines.enumerated() {
            let next = index + 1 < log.lines.count ? log.lines[index + 1] : []
            for place in line.indices {
                for bit in 0..<8 {
                    flips += 1
                    var flipped = line
                    flipped[place] ^= 1 << bit
                    // Without its newline, the line runs into the next one; at the end of the log
                    // it is torn, which the test of the whole log below covers.
                    if place == line.count - 1 { flipped += next }
                    if place == line.count - 1, next.isEmpty { continue }
                    #expect(
                        brokenLine(flipped, behind: index) == index + 1,
                        "line \(index + 1), byte \(place + 1), bit \(bit)")
                }
            }
        }
        #expect(flips == log.bytes.count * 8)
    }

    @Test func `flipped bits in the whole log are found with one thread and with several`() throws {
        let bytes = log.bytes
        for place in stride(from: 0, to: bytes.count, by: 61) + [bytes.count - 1] {
            var flipped = bytes
            flipped[place] ^= 1 << (place % 8)
            let line = bytes[..<place].count(where: { $0 == UInt8(ascii: "\n") }) + 1
            let expected = place == bytes.count - 1 ? nil : line
            let verdict = try log.verdict(flipped)
            #expect(verdict.damagedLine == expected)
            if expected == nil { #expect(verdict == .torn(line: 64)) }
            #expect(try log.verdict(flipped, threads: 2) == verdict)
        }
    }

    @Test func `every cut is found, cuts at a line's end only with a checkpoint`() throws {
        var cuts = 0
        for (index, line) in log.lines.enumerated() {
            let behind = log.checkpoint(64)
            for count in 0..<line.count {
                cuts += 1
                let rest = Array(line[..<count])
                let verdict = try log.verdict(rest, behind: index)
                if count > 0 {
                    #expect(verdict == .torn(line: index + 1))
                } else {
                    // The control: the chain alone doesn't show the cut.
                    #expect(verdict == (index == 0 ? .unchained : .intact))
                }
                guard count % 16 == 0 else { continue }
                let known = try log.verdict(rest, behind: index, checkpoint: behind)
                #expect(known == .rolledBack(.shorter))
            }
            let head = try log.verdict([], behind: index, head: log.chains[64].head)
            #expect(head == .rolledBack(.noSuchHead))
        }
        #expect(cuts == log.bytes.count)
    }

    @Test func `every deleted line is found`() throws {
        for index in log.lines.indices {
            var lines = log.lines
            lines.remove(at: index)
            let bytes = lines.allBytes()
            let verdict = try log.verdict(bytes)
            if index == 63 {
                // The control: deleting the last line is a cut at a line's end.
                #expect(verdict == .intact)
                let known = try log.verdict(bytes, checkpoint: log.checkpoint(64))
                #expect(known == .rolledBack(.shorter))
            } else {
                #expect(verdict.damagedLine == index + 1)
            }
        }
    }

    @Test func `every duplicated line is found at its second copy`() throws {
        for index in log.lines.indices {
            var lines = log.lines
            lines.insert(lines[index], at: index)
            #expect(try log.verdict(lines.allBytes()).damagedLine == index + 2)
        }
    }

    @Test func `any two swapped lines are found at the first one`() throws {
        for first in log.lines.indices {
            for second in log.lines.indices where second > first {
                var lines = log.lines
                lines.swapAt(first, second)
                let rest = lines[first...].allBytes()
                #expect(brokenLine(rest, behind: first) == first + 1)
            }
            guard first < 63 else { continue }
            var lines = log.lines
            lines.swapAt(first, first + 1)
            #expect(try log.verdict(lines.allBytes()).damagedLine == first + 1)
        }
    }

    @Test func `a foreign or forged line is found in its place`() throws {
        let other = try ChainedLog(64, salt: "x")
        for index in log.lines.indices where index > 0 {
            var lines = log.lines
            lines[index] = other.lines[index]
            #expect(try log.verdict(lines.allBytes()).damagedLine == index + 1)
            lines = log.lines
            lines.insert(Array("{}\n".utf8), at: index)
            #expect(try log.verdict(lines.allBytes()).damagedLine == index + 1)
        }
    }

    @Test func `a rewritten log is detected by a checkpoint kept elsewhere`() throws {
        let other = try ChainedLog(80, salt: "x")
        let bytes = other.bytes
        // The control: the rewritten log is a valid chain.
        #expect(try log.verdict(bytes) == .intact)
        #expect(
            try log.verdict(bytes, checkpoint: log.checkpoint(64)) == .rolledBack(.otherHead))
        #expect(
            try log.verdict(bytes, head: log.chains[64].head) == .rolledBack(.noSuchHead))
        let moved = Checkpoint(
            origin: "b 2026-02-20T09:00:00.000Z", chain: other.chains[64])
        #expect(try log.verdict(bytes, checkpoint: moved) == .rolledBack(.otherOrigin))
    }

    @Test func `the control: without a chain nothing is found`() throws {
        let unchained = try ChainedLog(64, isChained: false)
        #expect(try log.verdict(unchained.bytes) == .unchained)
        var lines = unchained.lines
        lines.remove(at: 7)
        lines.swapAt(9, 20)
        lines[30][60] ^= 1
        #expect(try log.verdict(lines.allBytes()) == .unchained)
        #expect(try log.verdict([]) == .unchained)
        let checkpoint = log.checkpoint(64)
        let known = try log.verdict(unchained.bytes, checkpoint: checkpoint)
        #expect(known == .rolledBack(.unchained))
        #expect(try log.verdict([], checkpoint: checkpoint) == .rolledBack(.shorter))
    }
}
