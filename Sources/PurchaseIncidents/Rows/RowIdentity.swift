import PurchaseProjections

/// The keys and values that identify a row while its other values change.
///
/// No two rows of a projection have the same identity at the same time.
public struct RowIdentity: Hashable, Sendable {
    /// The name of the projection.
    public let projection: String
    /// The identifying keys and their values; absent keys are left out.
    public let fields: [RowField]
    private let json: [UInt8]

    /// Creates the identity of a row.
    public init(_ row: ShownRow) {
        projection = row.projection
        let keys = RowIdentity.keys(of: row)
        fields = row.fields.filter { keys.contains($0.key) }
        json = Array(RowJSON.text(of: fields).utf8)
    }

    /// The keys that identify the rows of each projection, in the order of the catalogue.
    public static let keys: [(projection: String, keys: [String])] =
        ProjectionCatalogue.own.map { ($0.name, $0.identity) }

    /// The keys that identify the rows of a projection, always with `account`.
    static func keys(of projection: any Projection.Type) -> [String] {
        let own = keys.first { $0.projection == projection.name }?.keys ?? []
        return own.contains("account") ? own : ["account"] + own
    }

    /// The keys that identify a row, save a consumable's original: only a first purchase has one.
    static func keys(of row: ShownRow) -> [String] {
        let all = keys.first { $0.projection == row.projection }?.keys ?? []
        guard row.text("kind") == "consumable", row.projection == Entitlements.name else {
            return all
        }
        return all.filter { $0 != "original" }
    }

    /// Compares identities byte by byte.
    public static func == (left: RowIdentity, right: RowIdentity) -> Bool {
        left.projection == right.projection && left.json == right.json
    }

    /// Feeds the identity to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
