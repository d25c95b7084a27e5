import PurchaseEvents

/// The words for lines of a log, as `explain` has them.
struct LineWords {
    private let decoder = LineDecoder()
    /// The environment of events that name none.
    private let environment: Environment

    init(in environment: Environment) { self.environment = environment }

    /// What happened on a line, in plain words; a test environment is named.
    func words(
        _ event: Event<Interned>, _ bytes: UnsafeRawBufferPointer, isAgain: Bool
    ) -> String {
        let place = event.environment ?? environment
        return words(event.type, bytes, isAgain: isAgain, in: place)
    }

    /// What happened on a line of a type, given by its bytes.
    func words(
        _ type: EventType, _ bytes: UnsafeRawBufferPointer, isAgain: Bool, in place: Environment
    ) -> String {
        var words = type.wireName
        if case .event(let written) = decoder.decodeWritten(bytes) {
            words = EventWords.words(written, isAgain: isAgain)
        }
        return place == .production ? words : "\(words) (\(place.rawValue))"
    }
}
