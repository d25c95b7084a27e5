/// The fields of a scanned line, converted as they are asked for.
struct LineFields<Spells: Speller>: FieldReader {
    typealias S = Spells.S

    let line: UnsafeRawBufferPointer
    let scratch: UnsafeRawBufferPointer
    let tokens: UnsafePointer<Token>
    let present: KeySet
    /// Whether every byte of the line is printable ASCII.
    let isPlain: Bool
    let speller: Spells
    let times: TimeCache
    /// Whether every time and integer so far was written canonically.
    private(set) var isOrdinary = true
    /// What the fact was asked for under these keys: what ``Fact`` tells by looking into it.
    private(set) var transaction: TransactionID<S>?
    private(set) var payment: PaymentID<S>?
    private(set) var product: ProductID<S>?

    init(
        line: UnsafeRawBufferPointer, scratch: UnsafeRawBufferPointer,
        tokens: UnsafePointer<Token>, present: KeySet, isPlain: Bool, speller: Spells,
        times: TimeCache
    ) {
        self.line = line
        self.scratch = scratch
        self.tokens = tokens
        self.present = present
        self.isPlain = isPlain
        self.speller = speller
        self.times = times
    }

    @inline(__always)
    private func token(_ key: Key) -> Token? {
        present.contains(key) ? tokens[Int(key.rawValue)] : nil
    }

    /// Remembers the subject of the fact, where a key names it.
    @inline(__always)
    private mutating func note(_ key: Key, _ name: S.Name) {
        switch key {
        case .transaction: transaction = TransactionID(name)
        case .payment: payment = PaymentID(name)
        case .product: product = ProductID(name)
        case _: break
        }
    }

    /// The unescaped bytes of a string.
    @inline(__always)
    func string(_ token: Token, _ key: Key, _ expected: Expectation) throws(FieldProblem)
        -> UnsafeRawBufferPointer
    {
        switch token.form {
        case .string:
            let start = token.start &+ 1
            return UnsafeRawBufferPointer(
                rebasing: line[start..<start &+ token.count &- 2])
        case .escapedString:
            return Scratch.string(endingAt: token.scratchEnd, in: scratch)
        case .integer, .fraction, .yes, .no, .null, .container:
            throw FieldProblem(.wrongKind, key, expected)
        }
    }

    @inline(__always)
    private func name(_ token: Token, _ key: Key) throws(FieldProblem) -> UnsafeRawBufferPointer {
        let bytes = try string(token, key, .name)
        guard bytes.count >= 1, bytes.count <= NameCheck.maximumLength else {
            throw FieldProblem(.outOfRange, key, .nameLength)
        }
        guard isPlain || NameCheck.isPlain(bytes) else {
            throw FieldProblem(.outOfRange, key, .nameCharacters)
        }
        return bytes
    }

    @inline(__always)
    mutating func required<Role>(_ key: Key) throws(FieldProblem) -> Identifier<Role, S> {
        guard let token = token(key) else { throw FieldProblem(.missingKey, key, .name) }
        let name = speller.name(try name(token, key), Role.role)
        note(key, name)
        return Identifier(name)
    }

    @inline(__always)
    mutating func optional<Role>(_ key: Key) throws(FieldProblem) -> Identifier<Role, S>? {
        guard let token = token(key) else { return nil }
        let name = speller.name(try name(token, key), Role.role)
        note(key, name)
        return Identifier(name)
    }

    /// Who recorded the line: its account and its device, mostly those of a line shortly before.
    @inline(__always)
    mutating func recorder() throws(FieldProblem) -> (AccountID<S>?, DeviceID<S>?) {
        let text = recorderText
        if let text, let (account, device) = speller.recentRecorder(text) {
            return (AccountID(account), DeviceID(device))
        }
        return try newRecorder(text)
    }

    @inline(never)
    private mutating func newRecorder(
        _ text: RecentRecorders.Text?
    ) throws(FieldProblem) -> (AccountID<S>?, DeviceID<S>?) {
        let account: AccountID<S>? = try optional(.account)
        let device: DeviceID<S>? = try optional(.device)
        if let text, let account, let device {
            speller.keepRecorder(text, account: account.name, device: device.name)
        }
        return (account, device)
    }

    /// Where the account stands and the device behind it, both as they are; `nil` elsewhere.
    @inline(__always)
    private var recorderText: RecentRecorders.Text? {
        guard isPlain, present.contains(.account), present.contains(.device),
            let line = line.baseAddress
        else { return nil }
        let (account, device) = (
            tokens[Int(Key.account.rawValue)], tokens[Int(Key.device.rawValue)]
        )
        guard account.form == .string, device.form == .string, account.start < device.start else {
            return nil
        }
        let deviceStart = device.start &- account.start
        return RecentRecorders.Text(
            start: line + account.start, count: deviceStart &+ device.count,
            accountCount: account.count, deviceStart: deviceStart)
    }

    @inline(__always)
    func id() throws(FieldProblem) -> S.Key? {
        guard let token = token(.id) else { return nil }
        return speller.key(try name(token, .id))
    }

    @inline(__always)
    private mutating func time(_ token: Token, _ key: Key) throws(FieldProblem) -> Timestamp {
        let bytes = try string(token, key, .time)
        if let time = Timestamp(canonical: bytes, times) { return time }
        isOrdinary = false
        guard let time = Timestamp(rfc3339: bytes) else { throw FieldProblem(.badTime, key, .time) }
        return time
    }

    @inline(__always)
    mutating func required(_ key: Key) throws(FieldProblem) -> Timestamp {
        guard let token = token(key) else { throw FieldProblem(.missingKey, key, .time) }
        return try time(token, key)
    }

    @inline(__always)
    mutating func optional(_ key: Key) throws(FieldProblem) -> Timestamp? {
        guard let token = token(key) else { return nil }
        return try time(token, key)
    }

    /// An integer of at most 16 digits within the range of its key.
    @inline(__always)
    private mutating func integer(_ token: Token, _ key: Key) throws(FieldProblem) -> Int64 {
        guard token.form == .integer else { throw FieldProblem(.wrongKind, key, .integer) }
        var place = token.start
        let end = place &+ token.count
        let isNegative = line[place] == UInt8(ascii: "-")
        if isNegative { place &+= 1 }
        let range = key.range
        guard end &- place <= 16 else { throw FieldProblem(.outOfRange, key, .range(range)) }
        var value: Int64 = 0
        if end &- place <= 8, end >= 8 {
            // The eight bytes that end with the number, those before it shifted out.
            let bytes = line.loadUnaligned(fromByteOffset: end &- 8, as: UInt64.self)
            value = Digits.value(
                of: UInt64(littleEndian: bytes), count: UInt64(truncatingIfNeeded: end &- place))
        } else {
            while place < end {
                value = value &* 10 &+ Int64(line[place] &- UInt8(ascii: "0"))
                place &+= 1
            }
        }
        if isNegative {
            if value == 0 { isOrdinary = false }
            value = -value
        }
        guard range.contains(value) else { throw FieldProblem(.outOfRange, key, .range(range)) }
        return value
    }

    @inline(__always)
    mutating func required(_ key: Key) throws(FieldProblem) -> Int64 {
        guard let token = token(key) else { throw FieldProblem(.missingKey, key, .integer) }
        return try integer(token, key)
    }

    @inline(__always)
    mutating func optional(_ key: Key) throws(FieldProblem) -> Int64? {
        guard let token = token(key) else { return nil }
        return try integer(token, key)
    }

    @inline(__always)
    func optional(_ key: Key) throws(FieldProblem) -> Bool? {
        guard let token = token(key) else { return nil }
        switch token.form {
        case .yes: return true
        case .no: return false
        case .string, .escapedString, .integer, .fraction, .null, .container:
            throw FieldProblem(.wrongKind, key, .flag)
        }
    }

    @inline(__always)
    func optional(_ key: Key) throws(FieldProblem) -> Currency? {
        guard let token = token(key) else { return nil }
        guard let currency = Currency(try string(token, key, .currency)) else {
            throw FieldProblem(.outOfRange, key, .currency)
        }
        return currency
    }

    @inline(__always)
    private func word<Word: ClosedList>(_ token: Token, _ key: Key) throws(FieldProblem) -> Word {
        guard token.form == .string || token.form == .escapedString else {
            throw FieldProblem(.wrongKind, key, .word(Word.allCases.map(\.rawValue)))
        }
        let bytes = try string(token, key, .text)
        guard let word = Word.words.find(bytes) else {
            throw FieldProblem(.unknownValue, key, .word(Word.allCases.map(\.rawValue)))
        }
        return word
    }

    @inline(__always)
    func required<Word: ClosedList>(_ key: Key) throws(FieldProblem) -> Word {
        guard let token = token(key) else {
            throw FieldProblem(.missingKey, key, .word(Word.allCases.map(\.rawValue)))
        }
        return try word(token, key)
    }

    @inline(__always)
    func optional<Word: ClosedList>(_ key: Key) throws(FieldProblem) -> Word? {
        guard let token = token(key) else { return nil }
        return try word(token, key)
    }

    func text(_ key: Key) throws(FieldProblem) -> S.Text? {
        guard let token = token(key) else { return nil }
        return spelled(try text(token, key), token)
    }

    func error(_ key: Key) throws(FieldProblem) -> ErrorWord<S>? {
        guard let token = token(key) else { return nil }
        let bytes = try text(token, key)
        return ErrorWord(spelled(bytes, token), known: KnownError.words.find(bytes))
    }

    private func text(_ token: Token, _ key: Key) throws(FieldProblem) -> UnsafeRawBufferPointer {
        let bytes = try string(token, key, .text)
        guard bytes.count <= NameCheck.maximumTextLength else {
            throw FieldProblem(.outOfRange, key, .textLength)
        }
        return bytes
    }

    /// A text that a token holds, by its place between the quotes.
    private func spelled(_ bytes: UnsafeRawBufferPointer, _ token: Token) -> S.Text {
        let (start, count) = (UInt32(token.start + 1), UInt32(token.count - 2))
        return speller.text(bytes, TextSpan(start: start, count: count))
    }

    /// Checks the chain value, which the reader of the chain compares by its bytes.
    @inline(__always)
    func checkChain() throws(FieldProblem) {
        guard let token = token(.chain) else { return }
        let bytes = try string(token, .chain, .chain)
        let isHex = bytes.allSatisfy { $0 &- 0x30 <= 9 || $0 &- 0x61 <= 5 }
        guard bytes.count == 64, isHex else { throw FieldProblem(.outOfRange, .chain, .chain) }
    }
}
