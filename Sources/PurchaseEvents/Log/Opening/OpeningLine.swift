/// The start of a log's first line as `EventLog` writes it, to tell a torn first line from a file
/// that was never a log.
enum OpeningLine {
    /// The expected bytes; each `0` after the first number stands for any digit.
    private static let start = Array(
        #"{"seq":1,"at":"0000-00-00T00:00:00.000Z","type":"log.opened","schema":"#.utf8)

    static var length: Int { start.count }

    /// Whether bytes may begin a first line. A byte of 0 matches anything: after a crash, a file
    /// may have its size without its bytes.
    static func mayBegin(_ bytes: [UInt8]) -> Bool {
        zip(bytes, start).allSatisfy { seen, expected in
            let isDigit = expected == UInt8(ascii: "0") && (0x30...0x39).contains(seen)
            return seen == expected || isDigit || seen == 0
        }
    }
}
