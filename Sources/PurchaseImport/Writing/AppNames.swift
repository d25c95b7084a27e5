import PurchaseEvents

/// The app that all records are of which name one.
struct AppNames {
    private var name: String?
    private var areSeveral = false

    /// The app; `nil` where records name none, or several.
    var app: String? { areSeveral ? nil : name }

    /// Takes in the app of a record: a remark where it is the first that differs.
    mutating func take(_ source: StatedSource) -> LimitedRemarks {
        var remarks = LimitedRemarks()
        guard let other = source.app, !areSeveral else { return remarks }
        if let name, name != other {
            areSeveral = true
            remarks.add(.warning) {
                ImportRemark(
                    level: .warning, place: source.place,
                    message: "seen the app `\(EscapedText.escape(other))` beside "
                        + "`\(EscapedText.escape(name))`; a log is of one app")
            }
        }
        name = other
        return remarks
    }
}
