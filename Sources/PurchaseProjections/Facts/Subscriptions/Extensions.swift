import PurchaseEvents

/// The extensions of a subscription line that name no transaction, at most one for each statement
/// time.
///
/// Each extension lengthens the period that starts last before its time. Later statements may add
/// such a period, so all extensions are kept.
struct Extensions: Sendable {
    /// In order of statement time.
    private(set) var stated: [Register<Timestamp>] = []

    /// Records an extension; of several stated at the same time, the greatest version wins.
    mutating func assign(_ end: Timestamp, _ statement: VersionID, _ versions: inout Versions) {
        let statedAt = versions.time(of: statement)
        let place = stated.lowerBound { register in
            register.time(versions).map { $0 >= statedAt } ?? true
        }
        if place == stated.count || stated[place].time(versions) != statedAt {
            stated.insert(Register(), at: place)
        }
        stated[place].assign(end, statement, &versions)
    }
}
