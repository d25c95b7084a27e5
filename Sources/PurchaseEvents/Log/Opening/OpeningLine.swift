/// How the first line of a log begins, as `EventLog` writes it: what a crash may have left of one,
/// told from the bytes of a file that is no log.
enum OpeningLine {
    /// Each `0` stands for any digit but in the first number.
    private static let start = Array(
        #"{"seq":1,"at":"0000-00-00T00:00:00.000Z","type":"log.opened","schema":"#.utf8)

    /// So many of the first bytes are worth a look.
    static var length: Int { start.count }

    /// Whether bytes may be what is left of the line, or of its beginning.
    ///
    /// A byte of 0 may have been any: the size of a file may reach the disk without its bytes.
    static func mayBegin(_ bytes: [UInt8]) -> Bool {
        zip(bytes, start).allSatisfy { seen, expected in
            let isDigit = expected == UInt8(ascii: "0") && (0x30...0x39).contains(seen)
            return seen == expected || isDigit || seen == 0
        }
    }
}
