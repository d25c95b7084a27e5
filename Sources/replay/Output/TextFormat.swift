import PurchaseEvents

/// Formats numbers, times and columns of text for human readers.
enum TextFormat {
    /// A time span in seconds with three decimals.
    static func seconds(_ duration: Duration) -> String {
        let thousandths =
            duration.components.seconds * 1_000
            + duration.components.attoseconds / 1_000_000_000_000_000
        let rest = String(thousandths % 1_000)
        return "\(thousandths / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
    }

    /// A time in UTC: `2026-02-20 09:00:00`, with thousandths unless they are zero.
    static func time(_ time: Timestamp) -> String {
        let text = time.text
        let day = text.prefix(10)
        let clock = text.dropFirst(11).dropLast()
        return "\(day) \(clock.hasSuffix(".000") ? clock.dropLast(4) : clock)"
    }

    /// A time in UTC without its thousandths.
    static func second(_ time: Timestamp) -> String { String(TextFormat.time(time).prefix(19)) }

    /// A time; midnight is printed as the day alone.
    static func dayOrTime(_ time: Timestamp) -> String {
        let text = TextFormat.time(time)
        return text.hasSuffix(" 00:00:00") ? String(text.prefix(10)) : text
    }

    /// An amount given in thousandths: `4.99`, with a third decimal only if it isn't zero.
    static func amount(_ thousandths: Int64) -> String {
        let magnitude = thousandths.magnitude
        let rest = String(magnitude % 1_000)
        var decimals = String(repeating: "0", count: 3 - rest.count) + rest
        if decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(magnitude / 1_000).\(decimals)"
    }

    /// A share given in thousandths of a percent, without zeros at the end: `12.5 %`.
    static func percent(_ thousandths: Int64) -> String {
        var decimals = amount(thousandths)
        while decimals.hasSuffix("0") { decimals.removeLast() }
        if decimals.hasSuffix(".") { decimals.removeLast() }
        return "\(decimals) %"
    }

    /// A number or another short text, with spaces before it up to a width.
    static func right(_ text: some CustomStringConvertible, _ width: Int) -> String {
        spaces(width - text.description.count) + text.description
    }

    static func padded(_ text: String, _ width: Int) -> String {
        text + spaces(width - columns(of: text))
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// The width of a text in terminal columns; an East Asian character or an emoji takes two.
    static func columns(of text: String) -> Int {
        text.utf8.allSatisfy { $0 < 0x80 }
            ? text.utf8.count
            : text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: isWide) ? 2 : 1) }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            true
        case _: false
        }
    }

    /// The text broken at spaces into lines of at most `width` characters, unless a word is longer.
    static func wrapped(_ text: String, _ width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    /// The text as it may be printed: characters that could control a terminal are escaped.
    var escaped: String { EscapedText.escape(self) }

    /// The text with some of its scalars, all of them ASCII, replaced; fast if it has none of them.
    func replacing(_ replacements: KeyValuePairs<Unicode.Scalar, String>) -> String {
        // A bit for each scalar that is replaced.
        let keys = replacements.reduce(UInt128(0)) { $0 | 1 &<< UInt128($1.key.value) }
        guard utf8.contains(where: { $0 < 128 && keys & 1 &<< UInt128($0) != 0 }) else {
            return self
        }
        var text = ""
        for scalar in unicodeScalars {
            if let replacement = replacements.first(where: { $0.key == scalar }) {
                text += replacement.value
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Int {
    /// The number with a comma between groups of three digits.
    var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// The count with its noun: `1 line`, `1,342 lines`.
    func counted(_ one: String, _ many: String? = nil) -> String {
        "\(grouped) \(self == 1 ? one : many ?? one + "s")"
    }
}
