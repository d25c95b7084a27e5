import PurchaseEvents

/// What lines say without `seq`, `at` and `chain`, whatever their spelling.
struct LineContent {
    /// Decodes each line before its content is asked for; no names are kept.
    let decoder: LineDecoder

    /// A fingerprint of what the line that the decoder decoded last says; `nil` if it is blank.
    ///
    /// - Parameter environment: What a line means that names no environment; `nil` leaves open what
    ///   it means.
    func fingerprint(
        _ decoded: DecodedLine<Interned>, _ line: UnsafeRawBufferPointer,
        in environment: Environment? = nil
    ) -> Fingerprint? {
        switch decoded {
        case .blank: return nil
        case .notUnderstood: return LineContent.fingerprint(line)
        case .event(let event):
            guard event.type != .logOpened,
                let place = decoder.canonicalStatement(line, event.type)
            else { return fingerprint(unusual: line, environment) }
            if let environment, event.environment == nil, let middle = decoder.environmentPlace {
                var bytes = Array(line[place.lowerBound..<middle])
                bytes += #","environment":"\#(environment.rawValue)""#.utf8
                bytes += line[middle..<place.upperBound]
                return bytes.withUnsafeBytes { LineContent.fingerprint($0) }
            }
            return LineContent.fingerprint(UnsafeRawBufferPointer(rebasing: line[place]))
        }
    }

    /// The fingerprint of bytes.
    static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
        NameTable.fingerprint(of: bytes, seed: NameTable.usualSeed)
    }

    /// The fingerprint of an event whose line isn't canonical, or that opens the log: whether the
    /// log is chained is no content.
    private func fingerprint(
        unusual line: UnsafeRawBufferPointer, _ environment: Environment?
    ) -> Fingerprint? {
        if !decoder.notes.contains(where: { $0.code == .unknownKey }),
            case .event(var event) = decoder.decodeWritten(line)
        {
            if case .logOpened(var opened) = event.fact {
                opened.chained = nil
                event.fact = .logOpened(opened)
            }
            event.environment = event.environment ?? environment
            if let statement = try? LineWriter.statement(of: event) {
                return statement.withUnsafeBytes {
                    // Without its braces it is what a canonical line holds.
                    LineContent.fingerprint(UnsafeRawBufferPointer(rebasing: $0[1..<$0.count - 1]))
                }
            }
        }
        var members = LineMembers(Array(line))
        if let environment, members?.has(Key.environment.wireName) == false {
            members?.set(Key.environment.wireName, .string(environment.rawValue))
        }
        let statement = members?.statement(without: [.seq, .at, .chain, .chained])
        return (statement ?? Array(line)).withUnsafeBytes { LineContent.fingerprint($0) }
    }
}
