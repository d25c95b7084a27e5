import PurchaseEvents

/// What a projection's rows depend on besides the lines of their own family: a transaction or
/// payment with its restores and renewals.
///
/// `changes` and `why` read only these lines of a log to make a row.
package struct RowDependencies: Sendable {
    /// The families whose rows depend on each other.
    package enum Reach: Hashable, Sendable {
        /// None: each family has rows of its own.
        case family
        /// Those of one consumable that an account owns.
        case consumable
        /// Those of one product that an account owns, unless it is a consumable.
        case lastingProduct
        /// Those in an account's receipt.
        case receipt
        /// All of an account, whose row is the sum of its families' rows.
        case account
    }

    /// Lines of no family, or of other families, that change a row.
    package struct OtherLines: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The content that the app's catalogue publishes.
        package static let content = OtherLines(rawValue: 1)
        /// The deliveries that show that a server grants, and the lines that show that a device
        /// is an installation of the app.
        package static let serverGrants = OtherLines(rawValue: 2)
        /// What a user selected to restore on a device.
        package static let selections = OtherLines(rawValue: 4)
        /// Restore requests, and products found unlocked.
        package static let requests = OtherLines(rawValue: 8)
    }

    /// The families whose rows depend on each other.
    package let reach: Reach
    /// The other lines that change a row.
    package let reads: OtherLines
    /// The type of a line without a family that belongs to the rows of its account or product.
    package let ownType: EventType?
    /// Whether such a line has a row though the account bought nothing.
    package let ownLineHasRow: Bool
    /// The types of which a family's lines need one to have a row, save where a server grants;
    /// `nil` if any line may give it a row.
    package let leadingTypes: EventTypes?

    package init(
        _ reach: Reach = .family, reads: OtherLines = [], ownType: EventType? = nil,
        ownLineHasRow: Bool = false, leadingTypes: EventTypes? = nil
    ) {
        (self.reach, self.reads, self.ownType) = (reach, reads, ownType)
        (self.ownLineHasRow, self.leadingTypes) = (ownLineHasRow, leadingTypes)
    }
}
