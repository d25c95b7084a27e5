import PurchaseSimulation
import Testing

@testable import PurchaseEvents

/// The names of cases are written out, in the order of the cases.
struct WordTests {
    /// A case's own name, which the compiler keeps only for reflection.
    private func name(_ value: some Any) -> String { String(describing: value) }

    private func split(_ name: String, at separator: String) -> String {
        name.reduce(into: "") { text, letter in
            text += letter.isUppercase ? separator + letter.lowercased() : String(letter)
        }
    }

    @Test func `the name of a key is that of its case`() {
        #expect(Key.allCases.map(\.wireName) == Key.allCases.map(name))
    }

    @Test func `the name of an event type is that of its case, split at the first capital`() {
        for type in EventType.allCases {
            let parts = type.wireName.split(separator: ".").map(String.init)
            #expect(parts.count == 2)
            #expect(parts[0] + parts[1].prefix(1).uppercased() + parts[1].dropFirst() == name(type))
            #expect(EventType(wireName: type.wireName) == type)
        }
    }

    @Test func `the name of a fault is that of its case`() {
        for fault in Fault.allCases {
            #expect(fault.name == split(name(fault), at: "-"))
            #expect(Fault(name: fault.name) == fault)
        }
    }
}
