protocol NameDecoder {
    associatedtype S: Spelling
    /// A valid placeholder, made once; the decoder writes events over it.
    static var blank: Event<S> { get }
    /// The placeholder for a name in a line that isn't understood.
    static var noName: S.Name { get }
    static var noText: S.Text { get }
    func name(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> S.Name
    func key(_ bytes: UnsafeRawBufferPointer) -> S.Key
    func text(_ bytes: UnsafeRawBufferPointer, _ span: TextSpan) -> S.Text
    /// The account and the device of a line, if a recent line had the same two; otherwise `nil`.
    func recentRecorder(_ text: RecentRecorders.Text) -> (account: S.Name, device: S.Name)?
    func keepRecorder(_ text: RecentRecorders.Text, account: S.Name, device: S.Name)
}

extension NameDecoder {
    func recentRecorder(_ text: RecentRecorders.Text) -> (account: S.Name, device: S.Name)? { nil }
    func keepRecorder(_ text: RecentRecorders.Text, account: S.Name, device: S.Name) {}
}

struct WrittenNameDecoder: NameDecoder {
    typealias S = Written
    static let blank = Event<Written>()
    static var noName: String { "" }
    static var noText: String { "" }
    func name(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
    func key(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
    func text(_ bytes: UnsafeRawBufferPointer, _ span: TextSpan) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

struct InternedNameDecoder: NameDecoder {
    typealias S = Interned
    static let blank = Event<Interned>()
    static var noName: Handle { Handle(rawValue: 0) }
    static var noText: TextSpan { TextSpan(start: 0, count: 0) }
    /// The tables of the decoder's names, unmanaged: a name decoder lives for one line only.
    private let tables: UnsafeMutablePointer<NameIndex>
    private let roles: NameRoles
    private let recorders: RecentRecorders

    @inline(__always)
    init(_ names: NameTable) {
        (tables, roles) = (names.tables, names.roles)
        recorders = names.recorders
    }

    @inline(__always)
    func name(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> Handle {
        guard roles.contains(role) else { return Handle(rawValue: 0) }
        return Handle(rawValue: tables[Int(role.rawValue)].intern(bytes))
    }
    @inline(__always)
    func key(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
        NameTable.fingerprint(of: bytes, tables.pointee.key)
    }
    @inline(__always)
    func text(_ bytes: UnsafeRawBufferPointer, _ span: TextSpan) -> TextSpan { span }
    @inline(__always)
    func recentRecorder(_ text: RecentRecorders.Text) -> (account: Handle, device: Handle)? {
        recorders.names(of: text)
    }
    @inline(__always)
    func keepRecorder(_ text: RecentRecorders.Text, account: Handle, device: Handle) {
        recorders.keep(text, account, device)
    }
}

struct FingerprintedNameDecoder: NameDecoder {
    typealias S = Fingerprinted
    static let blank = Event<Fingerprinted>()
    static var noName: Fingerprint { Fingerprint(high: 0, low: 0) }
    static var noText: TextSpan { TextSpan(start: 0, count: 0) }
    let hashKey: HashKey
    func name(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> Fingerprint { key(bytes) }
    func key(_ bytes: UnsafeRawBufferPointer) -> Fingerprint {
        NameTable.fingerprint(of: bytes, hashKey)
    }
    func text(_ bytes: UnsafeRawBufferPointer, _ span: TextSpan) -> TextSpan { span }
}
