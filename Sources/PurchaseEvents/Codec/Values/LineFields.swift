/// Reads the fields of a scanned line (``LineValues``) as one fact's values, in one spelling.
///
/// Each read first tests here whether the line has the key, and then calls the one function that
/// converts the value. The test is most of the work, because most keys are absent.
struct LineFields<Names: NameDecoder>: FieldReader {
    typealias S = Names.S

    static var noName: S.Name { Names.noName }

    var values: LineValues
    let nameDecoder: Names
    /// The names read under these keys, for ``Event``'s subjects.
    private(set) var transaction: TransactionID<S>?
    private(set) var payment: PaymentID<S>?
    private(set) var product: ProductID<S>?

    mutating func fail(_ code: DiagnosticCode, _ key: Key, _ expected: Expectation) {
        values.fail(code, key, expected)
    }

    @inline(never)
    private mutating func name(_ key: Key, _ role: NameRole) -> S.Name {
        guard let bytes = values.name(key) else { return Names.noName }
        return nameDecoder.name(bytes, role)
    }

    @inline(__always)
    private mutating func keepSubject(_ key: Key, _ name: S.Name) {
        switch key {
        case .transaction: transaction = TransactionID(name)
        case .payment: payment = PaymentID(name)
        case .product: product = ProductID(name)
        case _: break
        }
    }

    @inline(__always)
    mutating func required<Role>(_ key: Key) -> Identifier<Role, S> {
        guard values.has(key) else {
            fail(.missingKey, key, .name)
            return Identifier(Names.noName)
        }
        let name = name(key, Role.role)
        keepSubject(key, name)
        return Identifier(name)
    }

    @inline(__always)
    mutating func optional<Role>(_ key: Key) -> Identifier<Role, S>? {
        guard values.has(key) else { return nil }
        let name = name(key, Role.role)
        keepSubject(key, name)
        return Identifier(name)
    }

    /// The account and the device of the line, mostly found in the cache of recent lines.
    @inline(__always)
    mutating func recorder() -> (AccountID<S>?, DeviceID<S>?) {
        let text = recorderText
        if let text, let (account, device) = nameDecoder.recentRecorder(text) {
            return (AccountID(account), DeviceID(device))
        }
        return newRecorder(text)
    }

    @inline(never)
    private mutating func newRecorder(
        _ text: RecentRecorders.Text?
    ) -> (AccountID<S>?, DeviceID<S>?) {
        let account: AccountID<S>? = optional(.account)
        let device: DeviceID<S>? = optional(.device)
        if let text, let account, let device, values.problem == nil {
            nameDecoder.keepRecorder(text, account: account.name, device: device.name)
        }
        return (account, device)
    }

    /// The text from the account to the device, if both are plain and in this order.
    @inline(__always)
    private var recorderText: RecentRecorders.Text? {
        guard values.isPlain, values.has(.account), values.has(.device),
            let line = values.line.baseAddress
        else { return nil }
        let (account, device) = (values.token(.account), values.token(.device))
        guard account.form == .string, device.form == .string, account.start < device.start else {
            return nil
        }
        let deviceStart = device.start &- account.start
        return RecentRecorders.Text(
            start: line + account.start, count: deviceStart &+ device.count,
            accountCount: account.count, deviceStart: deviceStart)
    }

    @inline(never)
    mutating func id() -> S.Key? {
        guard values.has(.id), let bytes = values.name(.id) else { return nil }
        return nameDecoder.key(bytes)
    }

    @inline(__always)
    mutating func required(_ key: Key) -> Timestamp {
        guard values.has(key) else {
            fail(.missingKey, key, .time)
            return Timestamp(milliseconds: 0)
        }
        return values.time(key)
    }

    @inline(__always)
    mutating func optional(_ key: Key) -> Timestamp? { values.has(key) ? values.time(key) : nil }

    @inline(__always)
    mutating func required(_ key: Key) -> Int64 {
        guard values.has(key) else {
            fail(.missingKey, key, .integer)
            return 0
        }
        return values.integer(key)
    }

    @inline(__always)
    mutating func optional(_ key: Key) -> Int64? { values.has(key) ? values.integer(key) : nil }

    @inline(__always)
    mutating func optional(_ key: Key) -> Bool? { values.has(key) ? values.flag(key) : nil }

    @inline(__always)
    mutating func optional(_ key: Key) -> Currency? { values.has(key) ? values.currency(key) : nil }

    @inline(__always)
    mutating func required<Word: ClosedList>(_ key: Key) -> Word {
        if let word: Word = optional(key) { return word }
        fail(.missingKey, key, .word(Word.self))
        return Word.words.first
    }

    @inline(__always)
    mutating func optional<Word: ClosedList>(_ key: Key) -> Word? {
        values.has(key) ? values.word(key) : nil
    }

    @inline(never)
    mutating func optional(_ key: Key) -> S.Text? {
        guard values.has(key), let (bytes, span) = values.text(key) else { return nil }
        return nameDecoder.text(bytes, span)
    }

    mutating func required(_ key: Key) -> S.Text {
        if let text: S.Text = optional(key) { return text }
        fail(.missingKey, key, .text)
        return Names.noText
    }

    @inline(never)
    mutating func optional(_ key: Key) -> ErrorWord<S>? {
        guard values.has(key), let (bytes, span) = values.text(key) else { return nil }
        return ErrorWord(nameDecoder.text(bytes, span), known: KnownError.words.find(bytes))
    }

    mutating func required(_ key: Key) -> ErrorWord<S> {
        if let error: ErrorWord<S> = optional(key) { return error }
        fail(.missingKey, key, .text)
        return ErrorWord(Names.noText, known: nil)
    }

    @inline(__always)
    mutating func checkChain() { if values.has(.chain) { values.checkChain() } }
}
