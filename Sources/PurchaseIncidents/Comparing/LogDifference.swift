import PurchaseProjections

/// A difference in meaning between two logs.
public enum LogDifference: Sendable {
    /// A row that only one log has, or that has different values in the two.
    case row(RowDifference)
    /// A finding that only one log has.
    case finding(Finding, Presence)
    /// A line whose content only one log has: its number in that log, and its bytes.
    case line(Int, [UInt8], Presence)

    /// Which of the two logs has something.
    public enum Presence: String, CaseIterable, Hashable, Sendable {
        /// Only the second log has it.
        case appears
        /// Only the first log has it.
        case vanishes
    }
}

/// A row of a projection that differs.
public struct RowDifference: Hashable, Sendable {
    /// A key with its value as JSON.
    public struct Member: Hashable, Sendable {
        /// The key, as in tool.md.
        public let key: String
        /// The value as JSON.
        public let text: String
    }

    /// The name of the projection.
    public let projection: String
    /// The keys that identify the row.
    public let key: [Member]
    /// The whole row in the first log, or the keys that changed; empty if only the second log has
    /// the row.
    public let before: [Member]
    /// The whole row in the second log, or the keys that changed; empty if only the first log has
    /// the row.
    public let after: [Member]
    /// Which log has the row; `nil` if both do.
    public let presence: LogDifference.Presence?

    init(_ projection: String, _ row: RowMembers, _ presence: LogDifference.Presence) {
        (self.projection, self.presence) = (projection, presence)
        key = RowDifference.members(row.identity)
        let whole = RowDifference.members(row.members)
        before = presence == .vanishes ? whole : []
        after = presence == .appears ? whole : []
    }

    init(_ projection: String, _ before: RowMembers, _ after: RowMembers) {
        self.projection = projection
        presence = nil
        key = RowDifference.members(before.identity)
        let left = RowDifference.members(before.members)
        let right = RowDifference.members(after.members)
        self.before = left.filter { !right.contains($0) }
        self.after = right.filter { !left.contains($0) }
    }

    private static func members(_ members: [(key: String, text: String)]) -> [Member] {
        members.map { Member(key: $0.key, text: $0.text) }
    }
}
