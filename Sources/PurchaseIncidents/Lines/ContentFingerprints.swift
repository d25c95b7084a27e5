import PurchaseEvents

/// Fingerprints of lines without `seq`, `at` and `chain`, independent of spelling.
struct ContentFingerprints {
    /// The decoder that decodes each line before its content is requested; stores no names.
    let decoder: LineDecoder

    /// The fingerprint of the line that the decoder decoded last, in an environment if it names
    /// none; `nil` if it is blank.
    func fingerprint(
        _ decoded: DecodedLine<Interned>, _ line: UnsafeRawBufferPointer,
        in environment: Environment? = nil
    ) -> Fingerprint? {
        switch decoded {
        case .blank: return nil
        case .notUnderstood: return ContentFingerprints.fingerprint(line)
        case .event(let event):
            guard event.type != .logOpened, let place = decoder.canonicalContent(line, event.type)
            else { return fingerprint(unusual: line, environment) }
            if let environment, event.environment == nil, let middle = decoder.environmentPlace {
                var bytes = Array(line[place.lowerBound..<middle])
                bytes += #","environment":"\#(environment.rawValue)""#.utf8
                bytes += line[middle..<place.upperBound]
                return bytes.withUnsafeBytes { ContentFingerprints.fingerprint($0) }
            }
            return ContentFingerprints.fingerprint(UnsafeRawBufferPointer(rebasing: line[place]))
        }
    }

    static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
        NameTable.fingerprint(of: bytes)
    }

    /// The fingerprint of an event whose line isn't canonical or is a `log.opened`, in which
    /// `chained` doesn't count as content.
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
            if let content = try? LineWriter.content(of: event) {
                return content.withUnsafeBytes {
                    // Without its braces, the content equals that of a canonical line.
                    ContentFingerprints.fingerprint(
                        UnsafeRawBufferPointer(rebasing: $0[1..<$0.count - 1]))
                }
            }
        }
        var members = LineMembers(Array(line))
        if let environment, members?.has(Key.environment.wireName) == false {
            members?.set(Key.environment.wireName, .string(environment.rawValue))
        }
        let content = members?.content(without: [.seq, .at, .chain, .chained])
        return (content ?? Array(line)).withUnsafeBytes { ContentFingerprints.fingerprint($0) }
    }
}
