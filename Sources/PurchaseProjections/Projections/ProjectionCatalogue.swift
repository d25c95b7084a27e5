/// Every projection, in the order of tool.md.
public enum ProjectionCatalogue {
    /// All projections.
    public static let all: [any Projection.Type] = own

    package static let own: [any CatalogueProjection.Type] = [
        Entitlements.self, Pending.self, Restores.self, Receipt.self, Subscriptions.self,
        Accounts.self, Balances.self,
    ]

    /// What the rows of a projection of this package depend on.
    package static func dependencies(of projection: any Projection.Type) -> RowDependencies {
        own.first { $0 == projection }?.dependencies ?? RowDependencies()
    }

    /// The projection with a name; `nil` if there is none.
    public static func find(_ name: String) -> (any Projection.Type)? {
        all.first { $0.name == name }
    }
}
