import PurchaseEvents

/// An account is named by a hash or a UUID, never by an e-mail address or a plain name (G3.4).
///
/// Only the shape is checked: at least 16 hex digits, ignoring dashes, or at least 20 characters of
/// a Base64-like alphabet with digits among them. Each account is judged once, where the log first
/// names it. Accounts that differ only in the case of their letters are one finding, where the
/// second appears: a UUID is the same in capitals.
struct AccountOpaque: LineRule {
    static let level = Level.warning
    static let statement =
        "An account is not an e-mail address or a plain word: it looks like a hash or a UUID; and "
        + "no two accounts differ only in the case of their letters."
    static let evidence = ["G3.4"]

    private var isSeen = DenseTable(false)
    /// The first account of each name, whatever the case of its letters.
    private var byLetters = HandleMap<UInt32>(0)

    mutating func visitFields(_ visitor: FieldVisitor) { visitor.visit(&isSeen).visit(&byLetters) }

    @inline(__always)
    mutating func observe(
        _ event: LogEvent, at line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        if event.type == .accountLinked, case .accountLinked(let linked) = event.fact {
            judge(event.account, linked.from, event.seq, line, names, &report)
        } else if let account = event.account, !isSeen[account.index] {
            judge(account, nil, event.seq, line, names, &report)
        }
    }

    /// Judges the accounts that an event names first; two of one event are one finding.
    @inline(never)
    private mutating func judge(
        _ account: AccountHandle?, _ other: AccountHandle?, _ seq: Int64,
        _ line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        for account in [account, other] {
            guard let account, !isSeen[account.index], let known = otherCase(of: account, names)
            else {
                continue
            }
            find(account, besides: known, seq, line, names, &report)
            isSeen[account.index] = true
            report.test()
        }
        let first = account.flatMap { isNewAndPlain($0, names, &report) ? $0 : nil }
        let second = other.flatMap { isNewAndPlain($0, names, &report) ? $0 : nil }
        guard let found = first ?? second else { return }
        let name = names.text(of: found)
        report.find(
            seq, at: line, names, account: found, key: name,
            "account \(name) is \(AccountOpaque.shape(of: name)): expected a one-way hash or a "
                + "UUID",
            notes: first == nil ? [] : AccountOpaque.notes(second, line, names),
            hint: "look at what the app sets as its user's name on payments: the App Store and "
                + "everyone who has the log can see who it is")
    }

    /// The account seen before whose name differs only in the case of its letters.
    private mutating func otherCase(
        of account: AccountHandle, _ names: NameTable
    ) -> AccountHandle? {
        let bytes = names.bytes(of: account)
        // Under the process's random key, so that no two names are made alike.
        let hash = withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 8) { lower in
            for index in bytes.indices {
                let byte = bytes[index]
                lower[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            return NameTable.fingerprint(of: UnsafeRawBufferPointer(lower)).high
        }
        let key = HandleKey(UInt32(hash >> 32), UInt32(truncatingIfNeeded: hash))
        guard let known = byLetters[key] else {
            byLetters[key] = UInt32(account.index)
            return nil
        }
        return Int(known) == account.index ? nil : AccountID(index: Int(known))
    }

    private func find(
        _ account: AccountHandle, besides other: AccountHandle, _ seq: Int64,
        _ line: LineNumber, _ names: NameTable, _ report: inout Report
    ) {
        let (name, known) = (names.text(of: account), names.text(of: other))
        report.find(
            seq, at: line, names, account: account, key: name,
            "account \(name) differs from account \(known) only in the case of its letters: "
                + "expected one spelling of one account",
            hint: "a UUID is the same in capitals: write accounts in lower case, or what belongs "
                + "to one user is looked for under two")
    }

    /// The note on the second account of a line; empty if there is none.
    private static func notes(
        _ other: AccountHandle?, _ line: LineNumber, _ names: NameTable
    ) -> [Finding.Note] {
        guard let name = other.map({ names.text(of: $0) }) else { return [] }
        return Finding.note(line, "and let account \(name) be \(AccountOpaque.shape(of: name)) too")
    }

    /// Whether an account is named for the first time, and not by a hash or a UUID.
    private mutating func isNewAndPlain(
        _ account: AccountHandle, _ names: NameTable, _ report: inout Report
    ) -> Bool {
        guard !isSeen[account.index] else { return false }
        isSeen[account.index] = true
        report.test()
        return !AccountOpaque.isOpaque(names.bytes(of: account))
    }

    private static func shape(of name: String) -> String {
        name.utf8.contains(UInt8(ascii: "@")) ? "an e-mail address" : "plain text"
    }

    static func isOpaque(_ name: UnsafeRawBufferPointer) -> Bool {
        var (digits, letters, capitals, isHex) = (0, 0, 0, true)
        for byte in name {
            let letter = byte | 0x20
            if (0x30...0x39).contains(byte) {
                digits += 1
            } else if (0x61...0x7A).contains(letter) {
                if byte == letter { letters += 1 } else { capitals += 1 }
                if letter > UInt8(ascii: "f") { isHex = false }
            } else if "_+/=".utf8.contains(byte) {
                isHex = false
            } else if byte != UInt8(ascii: "-") {
                return false
            }
        }
        let count = letters + capitals + digits
        if isHex { return count >= 16 }
        // In an alphabet of 32 to 64 characters, about one in five is a digit; a word has none.
        let isMixed = letters > 0 && capitals > 0
        return count >= 20 && digits > 0 && (isMixed || digits * 8 >= count)
    }
}

/// The form of a name, for code that replaces a name with another of the same form.
package enum NameShape {
    /// Whether a name looks like a hash or a random identifier, as the rule `account-opaque` sees
    /// it.
    package static func isOpaque(_ name: UnsafeRawBufferPointer) -> Bool {
        AccountOpaque.isOpaque(name)
    }
}
