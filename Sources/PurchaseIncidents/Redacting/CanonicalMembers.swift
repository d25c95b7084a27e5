import PurchaseEvents

struct CanonicalValue {
    let bytes: ArraySlice<UInt8>

    /// The text of a string, without quotes and escapes.
    var text: String {
        let inner = bytes.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inner, as: UTF8.self)
        }
        var text = ""
        JSONReader.read(Array(bytes)) { part in
            if case .document(let value) = part, case .string(let read) = value.content {
                text = read
            }
        }
        return text
    }
}

/// The keys and values of a canonical line: an object with plain keys and plain values.
struct CanonicalMembers {
    private let line: [UInt8]
    /// The ranges of each key and its value.
    private var values: [(key: Range<Int>, value: Range<Int>)] = []

    /// The number of keys passed so far.
    private var passed = 0

    /// Parses a line as ``LineWriter`` writes it.
    init(_ line: [UInt8]) {
        self.line = line
        let quote = UInt8(ascii: "\"")
        var place = 1
        while place < line.count, line[place] == quote {
            let key = place + 1
            place = line[key...].firstIndex(of: quote) ?? line.count
            let range = key..<place
            // Skip the quote and the colon.
            place += 2
            let start = place
            var isQuoted = false
            while place < line.count {
                let byte = line[place]
                if byte == quote { isQuoted.toggle() }
                if byte == UInt8(ascii: "\\") {
                    place += 1
                } else if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                    break
                }
                place += 1
            }
            values.append((range, min(start, place)..<min(place, line.count)))
            place += 1
        }
    }

    /// The value of a key; `nil` if the line lacks the key.
    ///
    /// Request the keys in canonical order.
    mutating func next(_ key: Key) -> CanonicalValue? {
        guard passed < values.count,
            line[values[passed].key].elementsEqual(key.wireName.utf8)
        else { return nil }
        passed += 1
        return CanonicalValue(bytes: line[values[passed - 1].value])
    }
}
