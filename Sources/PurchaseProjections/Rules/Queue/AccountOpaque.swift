import PurchaseEvents

/// An account is named by a hash or a UUID, never by an address or a name (G3.4).
///
/// Its shape is all that can be seen: 16 hex digits or more, dashes aside, or 20 characters or
/// more of the alphabets of Base64 and its kin with digits among them. Each account is judged
/// once, where the log first names it.
struct AccountOpaque: Rule {
    static let id = "account-opaque"
    static let level = Level.warning
    static let statement =
        "An account is no e-mail address and no plain word: it looks like a hash or a UUID."
    static let evidence = ["G3.4"]
    static let reads = EventTypes.all

    private var isSeen = DenseTable(false)

    init() {}

    mutating func observe(
        _ event: Event<Interned>, on line: Line, _ facts: Facts, _ report: inout Report
    ) {
        if let account = event.account, !isSeen[account.index] {
            judge(account, event, line, facts, &report)
        }
        if event.type == .accountLinked, case .accountLinked(let linked) = event.fact,
            let account = linked.from,
            !isSeen[account.index]
        {
            judge(account, event, line, facts, &report)
        }
    }

    private mutating func judge(
        _ account: AccountID<Interned>, _ event: Event<Interned>, _ line: Line, _ facts: Facts,
        _ report: inout Report
    ) {
        isSeen[account.index] = true
        report.test()
        guard !AccountOpaque.isOpaque(facts.names.bytes(of: account)) else { return }
        let name = facts.names.text(of: account)
        let what = name.utf8.contains(UInt8(ascii: "@")) ? "an e-mail address" : "plain text"
        report.find(
            event, on: line, facts, account: account, key: name,
            "account \(name) is \(what): expected a one-way hash or a UUID",
            hint: "look at what the app sets as its user's name on payments: the App Store and "
                + "everybody with the log can read who it is")
    }

    /// Whether a name looks like a hash or a random identifier.
    static func isOpaque(_ name: UnsafeRawBufferPointer) -> Bool {
        var letters = 0, capitals = 0, digits = 0, others = 0
        for byte in name {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits &+= 1
            case UInt8(ascii: "a")...UInt8(ascii: "f"): letters &+= 1
            case UInt8(ascii: "g")...UInt8(ascii: "z"): (letters, others) = (letters &+ 1, 1)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): capitals &+= 1
            case UInt8(ascii: "G")...UInt8(ascii: "Z"): (capitals, others) = (capitals &+ 1, 1)
            case UInt8(ascii: "-"): break
            case UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                // The other characters of Base64 and its kin.
                others = 1
            case _: return false
            }
        }
        let isHex = others == 0
        let count = letters + capitals + digits
        if isHex { return count >= 16 }
        // Of an alphabet of 32 to 64 about one character in five is a digit; a word has none.
        let isMixed = letters > 0 && capitals > 0
        return count >= 20 && digits > 0 && (isMixed || digits * 8 >= count)
    }
}
