import PurchaseEvents

/// Simplifies the lines of a small log: fewer keys, smaller numbers, rounder times.
struct SimplerLines {
    private var lines: [LineMembers?]
    private let raw: LogLines
    private let holds: (LogLines) throws -> Bool

    /// Starts with a log for which `holds` is true.
    init(_ log: LogLines, where holds: @escaping (LogLines) throws -> Bool) {
        raw = log
        self.holds = holds
        lines = log.indices.map { LineMembers(Array(log[$0])) }
    }

    var log: LogLines { log(lines) }

    private func log(_ lines: [LineMembers?]) -> LogLines {
        var log = LogLines()
        for (index, line) in lines.enumerated() {
            if let line { log.append(line.bytes) } else { log.append(raw[index]) }
        }
        return log
    }

    /// Applies a change, and keeps the change if `holds` is still true.
    @discardableResult
    private mutating func attempt(_ change: (inout [LineMembers?]) -> Void) throws -> Bool {
        var changed = lines
        change(&changed)
        guard try holds(log(changed)) else { return false }
        lines = changed
        return true
    }

    // MARK: Keys

    mutating func leaveOutKeys() throws {
        for index in lines.indices {
            for member in (lines[index]?.members ?? []).reversed() {
                var shorter = lines[index]
                shorter?.set(member.key, nil)
                guard !["seq", "at", "type"].contains(member.key), let line = shorter,
                    LineDecoder().event(on: line.bytes[...]) != nil
                else { continue }
                try attempt { $0[index] = line }
            }
        }
    }

    // MARK: Numbers

    /// Makes quantities, prices and other numbers as small as `holds` allows.
    mutating func reduceNumbers() throws {
        for index in lines.indices {
            for member in lines[index]?.members ?? [] {
                guard case .number(let digits) = member.value, let number = Int64(digits),
                    !["seq", "schema", "version"].contains(member.key), number > 1
                else { continue }
                var candidates: [Int64] = [1, 2]
                var half = number / 2
                while half > 2 {
                    candidates.append(half)
                    half /= 2
                }
                for smaller in candidates.sorted() where smaller < number {
                    let isKept = try attempt {
                        $0[index]?.set(member.key, .number(String(smaller)))
                    }
                    if isKept { break }
                }
            }
        }
    }

    // MARK: Times

    /// Rounds times to whole seconds, and brings them as close together as `holds` allows.
    mutating func compressTimes() throws {
        let times = Set(lines.flatMap { SimplerLines.times(of: $0) }).sorted()
        guard let first = times.first else { return }
        let second: Int64 = 1_000
        let start = first - Int64(first.remainder(second))
        // The gaps between neighbouring times, in whole seconds, at least one.
        var gaps = zip(times, times.dropFirst()).map { max(1, ($1 - $0 + second - 1) / second) }
        func moved(_ gaps: [Int64]) -> [Int64: Int64] {
            var at = start
            var map = [first: at]
            for (gap, time) in zip(gaps, times.dropFirst()) {
                at += gap * second
                map[time] = at
            }
            return map
        }
        let original = lines
        func works(_ gaps: [Int64]) throws -> Bool {
            let map = moved(gaps)
            return try holds(log(original.map { SimplerLines.moved($0, map) }))
        }
        guard try works(gaps) else { return }
        if try works(gaps.map { _ in 1 }) {
            gaps = gaps.map { _ in 1 }
        } else {
            for index in gaps.indices where gaps[index] > 1 {
                // The smallest gap that works, assuming that any longer gap works too.
                var (low, high) = (Int64(0), gaps[index])
                while high - low > 1 {
                    let middle = low == 0 && high == gaps[index] ? 1 : low + (high - low) / 2
                    var tried = gaps
                    tried[index] = middle
                    if try works(tried) { high = middle } else { low = middle }
                }
                gaps[index] = high
            }
        }
        let map = moved(gaps)
        lines = original.map { SimplerLines.moved($0, map) }
    }

    private static func times(of line: LineMembers?) -> [Int64] {
        (line?.members ?? []).compactMap { time($0.key, $0.value)?.milliseconds }
    }

    private static func moved(_ line: LineMembers?, _ map: [Int64: Int64]) -> LineMembers? {
        guard var line else { return nil }
        for member in line.members {
            guard let time = time(member.key, member.value)?.milliseconds, let moved = map[time]
            else { continue }
            line.set(member.key, .string(Timestamp(milliseconds: moved).text))
        }
        return line
    }

    /// The time that a member holds; `nil` if it holds none.
    private static func time(_ key: String, _ value: JSONValue.Content) -> Timestamp? {
        guard key == "at" || key == "until" || key.hasSuffix("At"), case .string(let text) = value
        else { return nil }
        return Timestamp(text)
    }
}

extension Int64 {
    /// The remainder of a division that rounds towards minus infinity.
    fileprivate func remainder(_ divisor: Int64) -> Int64 { ((self % divisor) + divisor) % divisor }
}
