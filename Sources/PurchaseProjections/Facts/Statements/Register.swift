import PurchaseEvents

/// A last-writer-wins register for one stated field: the statement with the greatest version wins.
struct Register<Value: Sendable>: Sendable {
    private(set) var value: Value?
    private(set) var version = VersionID()

    init() {}

    /// Creates a register with a statement's value; the caller has already retained the statement.
    init(_ value: Value?, _ version: VersionID) { (self.value, self.version) = (value, version) }

    /// Takes a stated value if its version is the greatest so far; `nil` changes nothing.
    @inline(__always)
    mutating func assign(_ new: Value?, _ statement: VersionID, _ versions: inout Versions) {
        guard let new, versions.wins(statement, over: version) else { return }
        take(new, statement, &versions)
    }

    /// Takes a stated value if its version is the least so far; `nil` changes nothing.
    mutating func assignEarliest(_ new: Value?, _ statement: VersionID, _ versions: inout Versions)
    {
        guard let new, versions.isFirst(statement, before: version) else { return }
        take(new, statement, &versions)
    }

    @inline(__always)
    private mutating func take(_ new: Value, _ statement: VersionID, _ versions: inout Versions) {
        versions.retain(statement)
        versions.release(version)
        value = new
        version = statement
    }

    /// Takes the value of another register if its version is the greatest so far.
    mutating func assign(_ other: Register<Value>, _ versions: inout Versions) {
        guard other.version.index != 0, other.version != version else { return }
        assign(other.value, other.version, &versions)
    }

    /// Takes the value of another register if its version is the least so far.
    mutating func assignEarliest(_ other: Register<Value>, _ versions: inout Versions) {
        guard other.version.index != 0, other.version != version else { return }
        assignEarliest(other.value, other.version, &versions)
    }

    /// Forgets the value if the winning statement was made in sandbox or xcode.
    mutating func eraseTest(_ versions: inout Versions) {
        guard isTest(versions) else { return }
        versions.release(version)
        self = Register()
    }

    /// Whether the winning statement was made in sandbox or xcode.
    func isTest(_ versions: Versions) -> Bool { version.index != 0 && versions.isTest(version) }

    /// Whether the winning statement has a lesser version than another.
    func isStated(before other: VersionID, _ versions: Versions) -> Bool {
        versions.precedes(version, other)
    }

    func time(_ versions: Versions) -> Timestamp? {
        version.index == 0 ? nil : versions.time(of: version)
    }
}

extension Register: BitwiseCopyable where Value: BitwiseCopyable {}
