import Foundation
import PurchaseEvents
import PurchaseIncidents
import PurchaseProjections
import TestSupport
import Testing

@testable import replay

/// Runs the tool on the sample logs.
struct SampleRunTests {
    @Test(arguments: DiagnosticCode.allCases)
    func `each malformed sample gives its diagnostic and its status`(
        _ code: DiagnosticCode
    ) throws {
        let host = try TestHost.samples("malformed")
        let path = "events/malformed/\(code.rawValue).jsonl"
        let ran = replay("check", path, on: host)
        #expect(ran.status == (code.level == .error ? .undetermined : .well))
        #expect(
            ran.lines.contains {
                $0.hasPrefix(path) && $0.contains("\(code.level.rawValue): [\(code.rawValue)] ")
            })
    }

    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `each violation is found at its rule`(_ id: String) throws {
        let rule = try #require(RuleCatalogue.find(id))
        let host = try TestHost.samples("violations")
        let ran = replay("check", "--rule=\(id)", "events/violations/\(id).jsonl", on: host)
        #expect(ran.output.contains("[\(id)]"))
        #expect(ran.status == (rule.level == .error ? .violated : .well))
    }

    @Test func `valid logs check well, with every rule put to the test`() throws {
        let ran = replay("check", "--verbose", "events/valid", on: try TestHost.samples("valid"))
        #expect(ran.status == .well)
        #expect(!ran.lines.contains { $0.hasPrefix("vacuous") || $0.hasPrefix("undetermined") })
    }

    @Test func `the tally of a log is the rule's own verdict`() throws {
        for folder in ["valid", "violations", "malformed"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                for result in try check(Folders.bytes(of: file), RuleCatalogue.all) {
                    var tally = RuleTally(result.rule)
                    tally.add(result.report, counting: nil, log: nil)
                    #expect(tally.verdict == result.report.verdict)
                }
            }
        }
    }

    @Test func `every command gives equal bytes for equal logs`() throws {
        for command in [
            ["check"], ["check", "--format=json", "--verbose"], ["show", "all"],
            ["stats", "--threads=3"], ["explain", "com.example.reader.pro"],
        ] {
            let first = try TestHost.samples("valid")
            let second = try TestHost.samples("valid")
            second.cores = 4
            _ = Tool.run(command + ["events/valid"], on: first)
            _ = Tool.run(command + ["events/valid"], on: second)
            #expect(first.outputBytes == second.outputBytes)
        }
    }

    @Test func `every event of the samples has words of its own`() throws {
        var types: Set<EventType> = []
        for folder in ["valid", "violations"] {
            for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
                for line in try Folders.bytes(of: file).split(separator: 0x0A) {
                    let decoded = line.withUnsafeBytes { LineDecoder().decodeWritten($0) }
                    guard case .event(let event) = decoded else { continue }
                    types.insert(event.type)
                    let words = EventWords.words(event)
                    #expect(!words.contains(event.type.wireName))
                    #expect(words.first?.isUppercase == false && !words.hasSuffix("."))
                }
            }
        }
        #expect(Set(EventType.allCases).subtracting(types).isEmpty)
    }

    @Test func `rules are listed and shown`() {
        let list = replay("rules")
        #expect(list.lines.count == RuleCatalogue.all.count)
        let one = replay("rules", "finished-implies-del")
        #expect(one.output.contains("finished-implies-delivered.jsonl:4: error:"))
        #expect(one.status == .well)
        #expect(replay("rules", "--format=json").lines.count == RuleCatalogue.all.count)
        #expect(replay("rules", "lifecycle", "--format=json").output.contains("\"findings\":[{"))
    }

    @Test func `each rule of the catalogue says whether it is about money`() {
        for rule in RuleCatalogue.all { #expect(MoneySide.of(rule: rule.id) != nil, "\(rule.id)") }
        #expect(MoneySide.of(rule: "no-such-rule") == nil)
    }
}
