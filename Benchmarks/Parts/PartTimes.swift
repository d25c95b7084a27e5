import Foundation
import PurchaseEvents
import PurchaseProjections

/// The cost of each part of `check` and `show`, in nanoseconds per event.
///
/// Each part is timed as the difference between a run with it and a run without it, one right after
/// the other. Several copies of a rule fold at once, so that its share stands out from the noise.
/// Each figure is the median of several rounds.
struct PartTimes {
    private static let rounds = 5
    /// The number of copies of a rule or projection that fold at once.
    private static let copies = 8

    private let bytes: [UInt8]
    private let events: Int

    /// Loads the first events of a log.
    init(log: String, events: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: log))
        var end = data.startIndex
        var lines = 0
        while lines < events, let next = data[end...].firstIndex(of: UInt8(ascii: "\n")) {
            end = next + 1
            lines += 1
        }
        bytes = Array(data[..<end])
        self.events = lines
    }

    /// Prints one line per part: its name, a tab, and its cost.
    func print() throws {
        guard events > 0 else { return Swift.print("no events") }
        Swift.print("part\tns/event")
        try row("decode") { try self.decode() }
        try row("facts", copies: 1, over: { try self.decode() }) { try self.check([]) }
        for projection in ProjectionCatalogue.all {
            let several = Array(repeating: projection, count: PartTimes.copies)
            try row("show \(projection.name): fold", over: { try self.show([]) }) {
                try self.show(several)
            }
            try row("show \(projection.name): rows") { try self.rows(of: projection) }
        }
        for rule in RuleCatalogue.all {
            let several = Array(repeating: rule, count: PartTimes.copies)
            try row("check \(rule.id)", over: { try self.check([]) }) {
                try self.check(several)
            }
        }
    }

    private func row(
        _ name: String, copies: Int = PartTimes.copies, over base: () throws -> Double,
        _ whole: () throws -> Double
    ) throws {
        try row(name) { (try whole() - base()) / Double(copies) }
    }

    private func row(_ name: String, _ seconds: () throws -> Double) throws {
        var times: [Double] = []
        for _ in 0..<PartTimes.rounds { times.append(try seconds()) }
        let median = times.sorted()[PartTimes.rounds / 2]
        Swift.print("\(name)\t\(String(format: "%.1f", median / Double(events) * 1e9))")
    }

    private func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try work()
        return start.duration(to: .now) / .seconds(1)
    }

    private func decode() throws -> Double {
        try seconds { try LogReader().readLines(MemorySource(bytes)) { $0.count } }
    }

    private func check(_ rules: [any Rule.Type]) throws -> Double {
        try seconds {
            let reader = LogReader()
            var check = Check(rules, names: reader.decoder.names, limit: 1)
            try reader.readLines(MemorySource(bytes)) { lines in
                check.observe(lines)
                return lines.count
            }
            _ = check.finish()
        }
    }

    private func shown(_ projections: [any Projection.Type]) throws -> Show {
        let reader = LogReader()
        var show = Show(projections, names: reader.decoder.names)
        try reader.readLines(MemorySource(bytes)) { lines in
            show.observe(lines)
            return lines.count
        }
        return show
    }

    private func show(_ projections: [any Projection.Type]) throws -> Double {
        try seconds { _ = try shown(projections) }
    }

    private func rows(of projection: any Projection.Type) throws -> Double {
        let show = try shown([projection])
        return seconds { _ = show.rows(of: projection) }
    }
}
