/// The names that a read has met: a dense handle a name, one table a role.
///
/// A table belongs to one reader at a time. Looking a name up costs one hash and one comparison;
/// a name costs its bytes and about 18 more, a transaction of 16 digits 16 in all, and the UUID of
/// a payment or a notification 24.
public final class NameTable {
    let tables: UnsafeMutablePointer<NameIndex>
    /// Spreads names over slots, and enters into the fingerprints of `id`s.
    let seed: UInt64
    /// The roles whose names it takes in; to those of the others a decoder gives the handle 0.
    let roles: NameRoles
    /// The accounts and the devices that were met last.
    let recorders = RecentRecorders()

    /// The seed of a table that is given none.
    public static let usualSeed: UInt64 = 0x243F_6A88_85A3_08D3

    /// An empty table; the seed spreads names over slots and changes no result.
    public convenience init(seed: UInt64 = NameTable.usualSeed) {
        self.init(of: NameRole.allCases, seed: seed)
    }

    /// An empty table for a caller that asks for the names of some roles alone: the events that
    /// are decoded have the handle 0 for every other name.
    package init(of roles: [NameRole], seed: UInt64 = NameTable.usualSeed) {
        self.roles = NameRoles(roles)
        self.seed = seed
        tables = .allocate(capacity: NameRole.allCases.count)
        for index in NameRole.allCases.indices {
            let form = NameTable.form(of: NameRole.allCases[index])
            tables.advanced(by: index).initialize(to: NameIndex(seed: seed, form: form))
        }
    }

    /// The form that most names of a role have.
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

    /// The handle of a name, given on first sight.
    @inline(__always)
    func intern(_ bytes: UnsafeRawBufferPointer, _ role: NameRole) -> Handle {
        Handle(rawValue: tables[Int(role.rawValue)].intern(bytes))
    }

    /// The number of names of a role: its handles are 0 up to it.
    public func count(of role: NameRole) -> Int { tables[Int(role.rawValue)].count }

    /// The text of a name.
    ///
    /// - Precondition: the handle is of this table.
    public func text<Role>(of identifier: Identifier<Role, Interned>) -> String {
        withBytes(of: identifier.name.rawValue, Role.role) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The bytes of an account's name, which stay where they are as long as the table.
    package func bytes(of account: AccountID<Interned>) -> UnsafeRawBufferPointer {
        tables[Int(NameRole.account.rawValue)].keptName(account.name.rawValue)
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Calls `body` with the bytes of a name of a role.
    @inline(__always)
    package func withBytes<Result>(
        of handle: UInt32, _ role: NameRole, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result { tables[Int(role.rawValue)].withName(handle, body) }

    /// The handle of a name that was met before; `nil` for one that never was.
    public func find<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<Role, Interned>? {
        let bytes = Array(identifier.name.utf8)
        return bytes.withUnsafeBytes { bytes in
            tables[Int(Role.role.rawValue)].find(bytes).map {
                Identifier(Handle(rawValue: $0))
            }
        }
    }

    /// The handle of a name, given on first sight.
    public func intern<Role>(_ identifier: Identifier<Role, Written>) -> Identifier<Role, Interned>
    {
        let bytes = Array(identifier.name.utf8)
        return bytes.withUnsafeBytes { Identifier(intern($0, Role.role)) }
    }

    /// How many names of a role, by their handles, none of some other tables has; in each table
    /// some names don't count.
    ///
    /// Nobody takes names into any of them meanwhile, but they may be asked on many threads.
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

    /// Whether one name's bytes come before another's.
    public func precedes<Role>(
        _ left: Identifier<Role, Interned>, _ right: Identifier<Role, Interned>
    ) -> Bool {
        withBytes(of: left.name.rawValue, Role.role) { left in
            withBytes(of: right.name.rawValue, Role.role) { left.precedes($0) }
        }
    }

    /// The fingerprint that stands for an `id`.
    @inline(__always)
    func fingerprint(of bytes: UnsafeRawBufferPointer) -> Fingerprint {
        NameTable.fingerprint(of: bytes, seed: seed)
    }

    /// The fingerprint that a table of that seed gives.
    @inline(__always)
    package static func fingerprint(of bytes: UnsafeRawBufferPointer, seed: UInt64) -> Fingerprint {
        Fingerprint(
            high: ByteHash.hash(bytes, seed: seed),
            low: ByteHash.hash(bytes, seed: seed ^ 0x1319_8A2E_0370_7344))
    }

    /// 64 bits that stand for a content: equal bytes have equal digests within one table.
    public func digest(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        ByteHash.hash(bytes, seed: seed ^ 0x4528_21E6_38D0_1377)
    }

    /// The fingerprint that stands for an `id`.
    public func fingerprint(of id: String) -> Fingerprint {
        let bytes = Array(id.utf8)
        return bytes.withUnsafeBytes { fingerprint(of: $0) }
    }
}

/// Some of the roles of names.
struct NameRoles {
    private let bits: UInt16

    init(_ roles: [NameRole]) { bits = roles.reduce(0) { $0 | 1 << UInt16($1.rawValue) } }

    @inline(__always)
    func contains(_ role: NameRole) -> Bool { bits &>> UInt16(role.rawValue) & 1 != 0 }
}
