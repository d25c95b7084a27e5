import Foundation
import TestSupport
import Testing

@testable import PurchaseEvents
@testable import PurchaseImport
@testable import PurchaseProjections

/// Reads inputs that nest or repeat one thing many times.
struct ShapeTests {
    /// Reads an input once, with as few checks as possible.
    private static func read(_ bytes: [UInt8], _ reader: HostileShape.Reader) {
        switch reader {
        case .certificates: bytes.withUnsafeBytes { SignatureFuzz.run(certificate: $0) }
        case .messages: bytes.withUnsafeBytes { SignatureFuzz.run(message: $0) }
        case .payloads: bytes.withUnsafeBytes { SignatureFuzz.run(payload: $0) }
        case .json: _ = JSONReader.firstProblem(in: bytes)
        case .imports:
            var options = ImportOptions()
            options.opensReceipts = true
            let input = ImportInput(name: "input") { MemorySource(bytes) }
            _ = try? AppStoreImporter().run([input], options: options, into: FuzzSink())
        case .rows:
            var options = ImportOptions()
            options.rows = try? RowMapping(events: RowFuzz.events)
            _ = RowFuzz.imported("input", MemorySource(bytes), options)
        case .mappings: RowFuzz.check(mapping: bytes)
        case .rules: bytes.withUnsafeBytes { RuleFuzz.run($0) }
        }
    }

    /// Runs the fuzz target of a shape, which checks what it reads.
    private static func fuzz(_ shape: HostileShape, _ count: Int) {
        let bytes = shape.bytes(count)
        switch shape.reader {
        case .json: bytes.withUnsafeBytes { JSONFuzz.run($0) }
        case .imports: ([3] + bytes).withUnsafeBytes { ImportFuzz.run($0) }
        case .rows, .mappings: ([1] + bytes).withUnsafeBytes { RowFuzz.run($0) }
        case .certificates, .messages, .payloads, .rules: read(bytes, shape.reader)
        }
    }

    @Test(arguments: HostileShape.Reader.allCases)
    func `nesting of every kind ends in a value or an error`(_ reader: HostileShape.Reader) {
        for shape in HostileShape.nested where shape.reader == reader {
            for count in [1, 31, 200] { ShapeTests.fuzz(shape, count) }
            ShapeTests.read(shape.bytes(5_000), reader)
        }
    }

    @Test(arguments: HostileShape.Reader.allCases)
    func `long runs of each separator end in values or errors`(_ reader: HostileShape.Reader) {
        for shape in HostileShape.runs where shape.reader == reader { ShapeTests.fuzz(shape, 100) }
    }

    @Test(arguments: HostileShape.Reader.allCases)
    func `four times the input takes at most six times as long`(_ reader: HostileShape.Reader) {
        let runs = HostileShape.runs.enumerated().filter { Effort.isWhole || $0.offset % 24 == 0 }
        let shapes = HostileShape.nested + runs.map(\.element)
        for shape in shapes where shape.reader == reader && shape.grows {
            // A busy machine may slow one measurement down, but not each.
            var ratios = [ShapeTests.growth(shape)]
            while ratios.count < 3, ratios.allSatisfy({ $0 > 6 }) {
                ratios.append(ShapeTests.growth(shape))
            }
            #expect(ratios.contains { $0 <= 6 }, "\(shape.name): \(ratios)")
        }
    }

    /// The time for four times an input, as a multiple of the time for the input.
    private static func growth(_ shape: HostileShape) -> Double {
        var count = 250
        var bytes = shape.bytes(count)
        // A shorter time says little.
        while threadTime({ read(bytes, shape.reader) }) < 0.002, count < 16_000 {
            count *= 2
            bytes = shape.bytes(count)
        }
        let times = [bytes, shape.bytes(4 * count)].map { bytes in
            (0..<3).map { _ in threadTime({ read(bytes, shape.reader) }) }.min() ?? 0
        }
        return times[1] < 0.002 ? 0 : times[1] / times[0]
    }
}
