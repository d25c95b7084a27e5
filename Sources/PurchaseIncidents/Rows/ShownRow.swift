import PurchaseEvents
import PurchaseProjections

/// A row of a projection as `replay show --format=json` prints it.
///
/// Rows are equal if their JSON is equal byte by byte.
public struct ShownRow: Hashable, Sendable {
    /// The name of the projection.
    public let projection: String
    /// The row's keys and values, in the order of tool.md.
    public let fields: [RowField]
    /// The row as JSON, without a line ending.
    public let json: String

    /// Creates the printed form of a row.
    public init(_ row: some ProjectionRow, of projection: String) {
        self.init(row.fields, of: projection)
    }

    init(_ fields: [RowField], of projection: String) {
        (self.projection, self.fields) = (projection, fields)
        json = RowJSON.text(of: fields)
    }

    /// The value of a key; `nil` if the row doesn't have the key.
    public subscript(key: String) -> RowValue? { fields.first { $0.key == key }?.value }

    /// The text of a key; `nil` if the row has no text there.
    public func text(_ key: String) -> String? {
        if case .text(let text) = self[key] { text } else { nil }
    }

    /// The time of a key; `nil` if the row has no time there.
    public func time(_ key: String) -> Timestamp? {
        if case .time(let time) = self[key] { time } else { nil }
    }

    /// Compares the JSON byte by byte; `String` considers two ways to encode one character equal.
    public static func == (left: ShownRow, right: ShownRow) -> Bool {
        left.projection == right.projection && left.json.isSame(as: right.json)
    }

    /// Feeds the JSON to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(Array(json.utf8)) }

    /// Whether the row says no: an entitlement or a subscription that isn't active, a product that
    /// wasn't restored, or a consumable of which nothing is left.
    public var isNo: Bool {
        switch projection {
        case Entitlements.name: self["active"] == .flag(false)
        case Balances.name: self["left"] == .integer(0)
        case Restores.name: text("state") == Restores.State.notRestored.rawValue
        case Subscriptions.name:
            text("status") != Subscriptions.Status.active.rawValue
                && text("status") != Subscriptions.Status.grace.rawValue
        case _: false
        }
    }
}

extension String {
    /// Whether two texts have the same bytes.
    package func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
