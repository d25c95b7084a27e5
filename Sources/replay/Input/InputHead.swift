import PurchaseEvents
import PurchaseImport

extension ExaminedSource {
    /// Examines at least the first line, or as many bytes as a line can have.
    func examineLine() throws(ReadProblem) {
        while head.count <= LineDecoder.maximumLineLength {
            let new = try examineMore(LineDecoder.maximumLineLength / 4)
            if new.isEmpty || new.contains(UInt8(ascii: "\n")) { return }
        }
    }
}

/// The first bytes of an input, which show whether it begins a log or is binary.
struct InputHead {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether these bytes begin a new log, rather than continue another.
    var beginsLog: Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        for line in lines {
            switch line.withUnsafeBytes({ LineDecoder().decode($0) }) {
            case .blank: continue
            case .event(let event): return event.type == .logOpened
            case .notUnderstood(let diagnostic): return diagnostic.code == .newerSchema
            }
        }
        return false
    }

    /// What document of the App Store the input begins with; `nil` if it isn't known to be one.
    func document(named name: String) -> String? { DocumentHead.words(of: bytes, name: name) }

    /// The kind of binary file, such as `gzip`; `nil` if the bytes begin like text, since a damaged
    /// log is still read line by line.
    var binary: String? {
        let formats: [(name: String, magic: [UInt8])] = [
            ("gzip", [0x1F, 0x8B]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
            ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
            ("bzip2", Array("BZh".utf8)), ("UTF-16 text", [0xFF, 0xFE]),
            ("UTF-16 text", [0xFE, 0xFF]), ("a binary property list", Array("bplist".utf8)),
            ("an SQLite database", Array("SQLite format 3".utf8)),
        ]
        if let format = formats.first(where: { bytes.starts(with: $0.magic) }) {
            return format.name
        }
        let start = bytes.prefix(512)
        let isControl: (UInt8) -> Bool = { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        let isText = String(validating: start.prefix { $0 != 0x0A }, as: UTF8.self) != nil
        guard let first = start.first, first != UInt8(ascii: "{"),
            !isText || start.contains(where: isControl)
        else { return nil }
        // The first line may be damaged; a single line that looks like JSON makes the input a log.
        let lines = bytes.split(separator: 0x0A)
        if lines.contains(where: { $0.first == UInt8(ascii: "{") }) { return nil }
        return "binary data"
    }
}
