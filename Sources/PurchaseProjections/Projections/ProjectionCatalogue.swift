/// Every projection, in the order of tool.md.
public enum ProjectionCatalogue {
    /// All projections.
    public static let all: [any Projection.Type] = [
        Entitlements.self, Pending.self, Restores.self, Receipt.self, Subscriptions.self,
        Accounts.self, Balances.self,
    ]

    /// The projection with a name; `nil` if there is none.
    public static func find(_ name: String) -> (any Projection.Type)? {
        all.first { $0.name == name }
    }
}
