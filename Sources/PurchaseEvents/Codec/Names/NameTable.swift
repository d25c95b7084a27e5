/// The names that a reader has met, in one table for each role; each name has a dense handle.
///
/// Only one reader may use a table at a time. A lookup costs one hash and one comparison. A name
/// takes its own bytes and about 18 more; a transaction of 16 digits takes 16 in all, and the UUID
/// of a payment, a notification or a receipt takes 24.
public final class NameTable {
    let tables: UnsafeMutablePointer<NameIndex>
    private let key: HashKey
    /// The roles whose names the table stores; a name of any other role gets the handle 0.
    let roles: NameRoles
    let recorders = RecentRecorders()

    /// Creates an empty table.
    public convenience init() { self.init(of: NameRole.allCases) }

    /// Creates an empty table that stores only the names of some roles; decoded events have the
    /// handle 0 for every other name.
    package init(of roles: [NameRole], key: HashKey = .ofProcess) {
        self.roles = NameRoles(roles)
        self.key = key
        tables = .allocate(capacity: NameRole.allCases.count)
        for index in NameRole.allCases.indices {
            let form = NameTable.form(of: NameRole.allCases[index])
            tables.advanced(by: index).initialize(to: NameIndex(key: key, form: form))
        }
    }

    package func write(to visitor: FieldVisitor) {
        var key = key
        visitor.visit(&key)
        for index in NameRole.allCases.indices { tables[index].visitFields(visitor) }
    }

    package convenience init(reading visitor: FieldVisitor, of roles: [NameRole]) {
        var key = HashKey.ofProcess
        visitor.visit(&key)
        self.init(of: roles, key: key)
        for index in NameRole.allCases.indices { tables[index].visitFields(visitor) }
    }

    private static func form(of role: NameRole) -> NameStore.Form {
        switch role {
        case .transaction: .digits
        case .payment, .notification, .receipt: .uuid
        case .account, .device, .product, .group, .download, .content, .payer: .any
        }
    }

    deinit {
        tables.deinitialize(count: NameRole.allCases.count)
        tables.deallocate()
        recorders.deallocate()
    }

    /// The handle of a name; a new name gets the next free handle.
    @inline(__always)
    func intern(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> Handle {
        Handle(rawValue: tables[Int(role.rawValue)].intern(bytes))
    }

    /// The number of names of a role; their handles are 0 to that number minus 1.
    public func count(of role: NameRole) -> Int { tables[Int(role.rawValue)].count }

    /// The text of a name.
    ///
    /// - Precondition: this table gave the handle.
    public func text<Role>(of identifier: Identifier<Role, Interned>) -> String {
        withBytes(of: identifier.name.rawValue, Role.role) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of an account's name, which never move while the table lives.
    package func bytes(of account: AccountHandle) -> UnsafeRawBufferPointer {
        tables[Int(NameRole.account.rawValue)].keptName(account.name.rawValue)
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    @inline(__always)
    package func withBytes<Result>(
        of handle: UInt32, _ role: NameRole, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { tables[Int(role.rawValue)].withName(handle, body) }

    /// The handle of a name that the table already has, or `nil`.
    public func find<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<Role, Interned>? {
        identifier.name.withTextBytes { bytes in
            tables[Int(Role.role.rawValue)].find(UnsafeRawBufferPointer(bytes))
                .map { Identifier(Handle(rawValue: $0)) }
        }
    }

    package func intern<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<Role, Interned>
    {
        identifier.name.withTextBytes { Identifier(intern(UnsafeRawBufferPointer($0), Role.role)) }
    }

    /// The number of names of a role that this table has and all other tables lack: of those in
    /// `handles`, without the names that each table leaves out. Several threads may call this at
    /// once, as long as nobody adds names.
    package func count(
        of role: NameRole, in handles: Range<Int>, but leftOut: Set<Int>,
        missingIn others: [(names: NameTable, leftOut: Set<Int>)]
    ) -> Int {
        handles.count { handle in
            guard !leftOut.contains(handle) else { return false }
            return withBytes(of: UInt32(truncatingIfNeeded: handle), role) { name in
                others.allSatisfy { other in
                    let found = other.names.tables[Int(role.rawValue)].find(name)
                    return found.map { other.leftOut.contains(Int($0)) } ?? true
                }
            }
        }
    }

    package func precedes<Role>(
        _ left: Identifier<Role, Interned>, _ right: Identifier<Role, Interned>
    ) -> Bool {
        withBytes(of: left.name.rawValue, Role.role) { left in
            withBytes(of: right.name.rawValue, Role.role) { left.precedes($0) }
        }
    }

    @inline(__always)
    package static func fingerprint(
        of bytes: UnsafeRawBufferPointer, _ key: HashKey = .ofProcess
    ) -> Fingerprint {
        Fingerprint(high: ByteHash.hash(bytes, key.high), low: ByteHash.hash(bytes, key.low))
    }

    /// A 64-bit digest of some content: within one table, equal bytes have equal digests.
    package func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        ByteHash.hash(bytes, key.high)
    }

    package static func fingerprint(of text: String, _ key: HashKey = .ofProcess) -> Fingerprint {
        text.withTextBytes { fingerprint(of: UnsafeRawBufferPointer($0), key) }
    }

    package func fingerprint(of id: String) -> Fingerprint { NameTable.fingerprint(of: id, key) }
}

struct NameRoles {
    private let bits: UInt16

    init(_ roles: [NameRole]) { bits = roles.reduce(0) { $0 | 1 << UInt16($1.rawValue) } }

    @inline(__always)
    func contains(_ role: NameRole) -> Bool { bits &>> UInt16(role.rawValue) & 1 != 0 }
}
