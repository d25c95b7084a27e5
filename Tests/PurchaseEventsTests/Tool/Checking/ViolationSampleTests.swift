import Foundation
import Testing

@testable import PurchaseProjections
@testable import replay

/// The tool contains the samples of events/violations, so that it needs no files.
@Suite struct ViolationSampleTests {
    @Test(arguments: RuleCatalogue.all.map { $0.id })
    func `the tool shows the sample of a rule`(_ id: String) throws {
        let file = Folders.events.appending(path: "violations/\(id).jsonl")
        let lines = ViolationSamples.log(of: id) ?? []
        let bytes = lines.flatMap { line in Array(line.utf8) + [UInt8(0x0A)] }
        #expect(try bytes == Folders.bytes(of: file))
    }
}
