import Foundation
import PurchaseEvents
import PurchaseProjections
import TestSupport
import Testing

/// Checks every rule of the catalogue against the sample logs.
struct RuleSampleTests {
    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `a rule finds its violation and no other rule finds an error`(_ id: String) throws {
        let folder = Folders.events.appending(path: "violations")
        let expected = try String(
            contentsOf: folder.appending(path: "\(id).expected"), encoding: .utf8
        ).split(separator: "\n").map(String.init)
        let reports = try check(
            Folders.bytes(of: folder.appending(path: "\(id).jsonl")), RuleCatalogue.all)
        let findings = reports.flatMap { $0.report.findings }
        let own = findings.filter { $0.rule == id }.map { "\($0.line) \($0.level.rawValue)" }
        let errors = findings.filter { $0.rule != id && $0.level == .error }
        #expect(own.sorted() == expected.sorted())
        #expect(errors.isEmpty, "\(errors.map { "\($0.line) [\($0.rule)] \($0.message)" })")
    }

    @Test(arguments: Folders.files(in: Folders.events.appending(path: "valid"), "jsonl"))
    func `a valid log has no error and no warning`(_ file: URL) throws {
        let reports = try check(Folders.bytes(of: file), RuleCatalogue.all)
        let findings = reports.flatMap { $0.report.findings }.filter { $0.level != .note }
        #expect(findings.isEmpty, "\(findings.map { "\($0.line) [\($0.rule)] \($0.message)" })")
    }

    @Test func `every rule is put to the test by a valid log`() throws {
        var tested: Set<String> = []
        for file in Folders.files(in: Folders.events.appending(path: "valid"), "jsonl") {
            let reports = try check(Folders.bytes(of: file), RuleCatalogue.all)
            tested.formUnion(reports.filter { $0.report.tested > 0 }.map { $0.rule.id })
        }
        let vacuous = Set(RuleCatalogue.all.map { $0.id }).subtracting(tested)
        #expect(vacuous.isEmpty)
    }

    @Test func `a rule's id is its name`() {
        for rule in RuleCatalogue.all {
            let words = rule.id.split(separator: "-").map {
                $0.prefix(1).uppercased() + $0.dropFirst()
            }
            #expect(String(describing: rule) == words.joined())
        }
        #expect(Set(RuleCatalogue.all.map { $0.id }).count == RuleCatalogue.all.count)
    }

    /// The second half of a log knows less, so it may report less, but never an error that the
    /// whole log doesn't have.
    @Test(arguments: ["valid", "violations"])
    func `a log cut at any line blames nobody whom the whole log doesn't`(
        _ folder: String
    ) throws {
        for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            let bytes = try Folders.bytes(of: file)
            let whole = try errors(of: bytes, skipping: 0)
            let lines = bytes.split(separator: 0x0A)
            for cut in 1..<max(2, lines.count) {
                let half = lines[cut...].flatMap { $0 + [0x0A] }
                let new = try errors(of: Array(half), skipping: cut).subtracting(whole)
                #expect(new.isEmpty, "\(file.lastPathComponent) cut after line \(cut)")
            }
        }
    }

    /// The `seq` of a finding is that of its line's event, even if other lines aren't events.
    @Test func `a finding names the seq of its event`() throws {
        for file in Folders.files(in: Folders.events.appending(path: "violations"), "jsonl") {
            var lines = try Folders.bytes(of: file).split(separator: 0x0A)
            lines.insert([0x20], at: 1)
            let bytes = lines.flatMap { $0 + [0x0A] }
            for finding in try check(bytes, RuleCatalogue.all).flatMap({ $0.report.findings }) {
                let decoder = LineDecoder()
                let line = Array(lines[Int(finding.line) - 1])
                guard case .event(let event) = line.withUnsafeBytes({ decoder.decode($0) }) else {
                    Issue.record("\(finding.rule): line \(finding.line) is no event")
                    continue
                }
                #expect(finding.seq == event.seq, "\(finding.rule)")
            }
        }
    }

    /// The errors of a log as rule and line, the line counted in the whole log.
    private func errors(of bytes: [UInt8], skipping lines: Int) throws -> Set<String> {
        let findings = try check(bytes, RuleCatalogue.all).flatMap { $0.report.findings }
        return Set(
            findings.filter { $0.level == .error }.map { "\($0.rule) \(Int($0.line) + lines)" })
    }
}
