import PurchaseEvents

/// Describes the lines of a log in the words of `explain`.
struct LineWords {
    private let decoder = LineDecoder()
    /// The environment of events that don't name one.
    private let environment: Environment

    init(in environment: Environment) { self.environment = environment }

    /// The event on a line in plain words, with its environment unless that is production.
    func words(_ event: LogEvent, _ bytes: UnsafeRawBufferPointer, isAgain: Bool) -> String {
        let place = event.environment ?? environment
        return words(event.type, bytes, isAgain: isAgain, in: place)
    }

    /// The event on a line in plain words, from its type, the line's bytes and its environment.
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
