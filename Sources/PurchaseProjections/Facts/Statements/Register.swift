import PurchaseEvents

/// One thing that statements say, each for itself: the greatest version wins.
struct Register<Value: Sendable>: Sendable {
    private(set) var value: Value?
    private var version = VersionID()

    /// A register that holds nothing.
    init() {}

    /// A register that holds what a statement says, which it doesn't hold itself.
    init(_ value: Value?, _ version: VersionID) { (self.value, self.version) = (value, version) }

    /// Takes a value that a statement says; an absent one says nothing.
    @inline(__always)
    mutating func say(_ new: Value?, _ statement: VersionID, _ versions: inout Versions) {
        guard let new, versions.wins(statement, over: version) else { return }
        take(new, statement, &versions)
    }

    /// Takes a value as ``say(_:_:_:)`` does, but of the statements keeps the least version.
    mutating func sayFirst(_ new: Value?, _ statement: VersionID, _ versions: inout Versions) {
        guard let new, versions.isFirst(statement, before: version) else { return }
        take(new, statement, &versions)
    }

    @inline(__always)
    private mutating func take(
        _ new: Value, _ statement: VersionID, _ versions: inout Versions
    ) {
        versions.hold(statement)
        versions.release(version)
        value = new
        version = statement
    }

    /// Takes what another register holds, where its statement is of the lesser version.
    mutating func sayFirst(_ other: Register<Value>, _ versions: inout Versions) {
        guard other.version.index != 0, other.version != version else { return }
        sayFirst(other.value, other.version, &versions)
    }

    /// Whether the statement that won was made in sandbox or xcode.
    func isOfTests(_ versions: Versions) -> Bool {
        version.index != 0 && versions.isOfTests(version)
    }

    /// When the statement that won was made.
    func time(_ versions: Versions) -> Timestamp? {
        version.index == 0 ? nil : versions.time(of: version)
    }
}
