import PurchaseEvents

/// The choices of a property's failing cases, kept in a file: one case a line, as numbers.
struct Corpus {
    /// The largest number of cases that a file keeps; the newest come first.
    private static let limit = 100

    private let file: ReplacedFile

    /// Names the file of a property; characters other than letters and digits become dashes.
    ///
    /// Properties that share a file try each other's cases, which does no harm.
    init(in folder: String, of property: String) {
        let isPlain: (UInt8) -> Bool = { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte)
        }
        let name = property.utf8.prefix(100).map { isPlain($0) ? $0 : UInt8(ascii: "-") }
        file = ReplacedFile(at: "\(folder)/\(String(decoding: name, as: UTF8.self)).choices")
    }

    /// The cases; a line that isn't numbers is no case.
    var choices: [[Int64]] {
        let text = (try? file.read()).flatMap(\.self) ?? []
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let numbers = words.compactMap { Int64($0) }
            return numbers.count == words.count ? numbers : nil
        }
    }

    /// Adds a case; returns why it couldn't be kept, if so.
    func keep(_ new: [Int64]) -> EventLogError? {
        // Choices after the end are 0, so this case has a line that isn't empty.
        let new = new.isEmpty ? [0] : new
        let kept = ([new] + choices.filter { $0 != new }).prefix(Corpus.limit)
        let text = kept.map { $0.map(String.init).joined(separator: " ") + "\n" }.joined()
        do throws(EventLogError) {
            try file.makeFolder()
            try file.replace(with: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }
}
