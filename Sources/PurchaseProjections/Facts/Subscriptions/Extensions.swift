import PurchaseEvents

/// The extensions of a line that name no transaction, one each time at which one was stated.
///
/// Each lengthens the period that starts last by its own time, and which one that is may become
/// known later, so all of them are kept.
struct Extensions: Sendable {
    /// In the order in which they were stated.
    private(set) var stated: [Register<Timestamp>] = []

    /// Takes an extension that a statement says; of those of one time the greatest version wins.
    mutating func say(_ end: Timestamp, _ statement: VersionID, _ versions: inout Versions) {
        let said = versions.time(of: statement)
        let place = stated.lowerBound { register in
            register.time(versions).map { $0 >= said } ?? true
        }
        if place == stated.count || stated[place].time(versions) != said {
            stated.insert(Register(), at: place)
        }
        stated[place].say(end, statement, &versions)
    }
}
