/// Estimates the width of the smallest text in a picture, generously, because the page's font isn't
/// known.
enum TextWidth {
    static func of(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "m", "w", "M", "W", "@", "%", "—", "…": 12
        case "A"..."Z", "&", "<", ">", "=", "+": 9
        case "\u{0}"..."\u{7F}": 7
        // A letter of another script, a wide character or an emoji.
        case _: scalar.value < 0x1100 ? 10 : 16
        }
    }

    /// The text cut at its beginning to at most `room` pixels, if possible after a dot: the names
    /// of one app begin alike.
    static func shortened(_ text: String, to room: Int) -> String {
        guard of(text) > room else { return text }
        var tail: [Character] = []
        var left = room - width("…")
        for character in text.reversed() {
            left -= of(String(character))
            guard left >= 0 else { break }
            tail.append(character)
        }
        let cut = String(tail.reversed())
        let parts =
            text.dropLast(tail.count).last == "." ? cut[...] : cut.drop { $0 != "." }.dropFirst()
        return "…" + (parts.isEmpty ? cut[...] : parts)
    }
}
