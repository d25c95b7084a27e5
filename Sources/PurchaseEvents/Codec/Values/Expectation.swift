enum Expectation: Sendable {
    case name, text, time, integer, flag, currency, eitherOr, chain
    case eventType
    case word(any ClosedList.Type)
    case range(ClosedRange<Int64>)
    case nameLength, nameCharacters, textLength
    case schema

    var words: String {
        switch self {
        case .name: "a name, as a string"
        case .text: "text, as a string"
        case .time: "a time such as 2026-02-20T09:00:00.000Z"
        case .integer: "an integer"
        case .flag: "true or false"
        case .currency: "three capital letters"
        case .eitherOr: "either a transaction or a payment"
        case .chain: "64 lower-case hex digits"
        case .eventType: "one of the types of event-log.md"
        case .word(let list): "one of " + list.wordList
        case .range(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .nameLength: "1 to 255 bytes"
        case .nameCharacters: "a name without control characters"
        case .textLength: "at most 4096 bytes"
        case .schema: "1, the newest version that this reader knows"
        }
    }
}

extension Expectation {
    /// What is wrong with a number that isn't an integer or is too large (event-log.md, 1).
    static func ofNumber(
        _ number: UnsafeRawBufferPointer, _ form: TokenForm
    ) -> (DiagnosticCode, Expectation)? {
        if form == .fraction { return (.wrongKind, .integer) }
        guard form == .integer, number.count > 15 else { return nil }
        let range = -Key.largestInteger...Key.largestInteger
        let value = Int64(String(decoding: number, as: UTF8.self))
        let isWithin = value.map { range.contains($0) } ?? false
        return isWithin ? nil : (.outOfRange, .range(range))
    }
}

extension ClosedList {
    fileprivate static var wordList: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
