/// The names of files and folders that are written beside their place, and then renamed to it.
enum DraftName {
    private static let digits = 16
    private static let ending = ".part"

    /// A name beside a path that nobody can guess, and so put a file or a link there first.
    static func random(beside path: String) -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        let zeros = String(repeating: "0", count: digits - number.utf8.count)
        return "\(path).\(zeros)\(number)\(ending)"
    }

    /// Whether a name is one that the tool chose beside a file of another name.
    static func isOne(_ name: String, beside file: String) -> Bool {
        guard name.hasPrefix("\(file)."), name.hasSuffix(ending) else { return false }
        let number = name.dropFirst(file.count + 1).dropLast(ending.count)
        return number.utf8.count == digits
            && number.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
