import Foundation
import Testing

@testable import PurchaseEvents

/// The subjects of an event are those of its fact.
struct EventSubjectTests {
    private static let logs = ["valid", "violations"].flatMap {
        Folders.files(in: Folders.events.appending(path: $0), "jsonl")
    }

    /// Enums up to this size are examined in place; larger ones are copied.
    @Test func `a fact on the read path is small enough to be read in place`() {
        #expect(MemoryLayout<Fact<Interned>>.size < 120)
    }

    @Test func `the decoder provides the subjects that the fact names`() throws {
        let decoder = LineDecoder()
        var types = EventTypes([])
        for log in EventSubjectTests.logs {
            for line in try Folders.bytes(of: log).split(separator: 0x0A).map(Array.init) {
                guard case .event(let event) = line.withUnsafeBytes({ decoder.decode($0) }) else {
                    continue
                }
                types.formUnion(EventTypes(event.type))
                let text = String(decoding: line, as: UTF8.self)
                #expect(event.type == event.fact.type, "\(text)")
                #expect(event.transaction == event.fact.transaction, "\(text)")
                #expect(event.payment == event.fact.payment, "\(text)")
                #expect(event.product == event.fact.product, "\(text)")
            }
        }
        for type in EventType.allCases {
            #expect(types.contains(type), "no sample has an event of \(type.wireName)")
        }
    }

    @Test func `changing a fact changes the event's subjects`() {
        var event = Event<Written>(
            seq: 1, at: Timestamp(milliseconds: 0), .queuePurchasing(payment: "p1"))
        #expect(event.payment == "p1" && event.product == nil)
        event.fact = .deliveryUnlocked(product: "a")
        #expect(event.type == .deliveryUnlocked)
        #expect(event.payment == nil && event.product == "a" && event.transaction == nil)
    }
}
