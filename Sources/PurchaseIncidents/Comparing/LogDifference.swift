import PurchaseProjections

/// A difference in meaning between two logs.
public enum LogDifference: Sendable {
    /// A row of a projection that one log has, or that both have with other values.
    case row(RowDifference)
    /// A finding that one log has.
    case finding(Finding, Presence)
    /// A line that one log has, by what it says; its number in that log, and its bytes.
    case line(Int, [UInt8], Presence)

    /// Which log has something.
    public enum Presence: String, CaseIterable, Hashable, Sendable {
        /// The second log has it and the first doesn't.
        case appears
        /// The first log has it and the second doesn't.
        case vanishes
    }
}

/// A row of a projection that differs.
public struct RowDifference: Hashable, Sendable {
    /// A key with its value as JSON.
    public struct Member: Hashable, Sendable {
        /// The key of tool.md.
        public let key: String
        /// The value as JSON.
        public let text: String
    }

    /// The name of the projection.
    public let projection: String
    /// The keys that tell the row apart.
    public let key: [Member]
    /// The whole row in the first log, or the keys that changed; empty where the row appears.
    public let before: [Member]
    /// The whole row in the second log, or the keys that changed; empty where the row vanishes.
    public let after: [Member]
    /// Whether one log has the row and the other doesn't; `nil` where both have it.
    public let presence: LogDifference.Presence?

    /// A row that one log has.
    init(_ projection: String, _ row: RowMembers, _ presence: LogDifference.Presence) {
        self.projection = projection
        self.presence = presence
        key = RowDifference.members(row.identity)
        let whole = RowDifference.members(row.members)
        before = presence == .vanishes ? whole : []
        after = presence == .appears ? whole : []
    }

    /// A row that both logs have.
    init(_ projection: String, _ before: RowMembers, _ after: RowMembers) {
        self.projection = projection
        presence = nil
        key = RowDifference.members(before.identity)
        let (left, right) = (
            RowDifference.members(before.members), RowDifference.members(after.members)
        )
        self.before = left.filter { !right.contains($0) }
        self.after = right.filter { !left.contains($0) }
    }

    private static func members(_ members: [(key: String, text: String)]) -> [Member] {
        members.map { Member(key: $0.key, text: $0.text) }
    }
}
