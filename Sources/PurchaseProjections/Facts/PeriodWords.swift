import PurchaseEvents

/// What is said of a line that makes its periods longer: extensions that name no transaction, and
/// grace periods.
///
/// What is said of tests is kept apart from what is said in production: environments never mix
/// (G9.3).
struct PeriodWords: Sendable {
    var extensions = Extensions()
    var graces = Graces()
}

extension LineFacts {
    /// What is said in an environment, sandbox and xcode being one.
    subscript(environment: Environment) -> PeriodWords {
        get { environment == .production ? inProduction : inTests }
        _modify {
            if environment == .production { yield &inProduction } else { yield &inTests }
        }
    }

    /// Whether a grace period was ever stated, in any environment.
    var hasGrace: Bool { !inProduction.graces.isEmpty || !inTests.graces.isEmpty }

    /// Ends of grace periods that were ever stated, each by its date; each counts as period for
    /// access, while no later word ended it.
    public var graceEnds: [Timestamp] {
        (inProduction.graces.stated + inTests.graces.stated).map { $0.end }
    }
}
