// swift-format-ignore-file
// Written from events/violations by `UPDATE_GOLDEN=1 swift test`.
extension ViolationSamples {
    /// The samples of the table `log`.
    static let log: [String: String] = [
        "sequence-unbroken": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":3,"at":"2026-03-02T09:00:01.000Z","type":"log.noted","text":"The line befor\#
            e this one is missing."}
            """#,
        "identifiers-unique": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T09:00:01.000Z","type":"log.noted","id":"note-1","text":"\#
            The first remark."}
            {"seq":3,"at":"2026-03-02T09:00:02.000Z","type":"log.noted","id":"note-1","text":"\#
            Another remark under the same id."}
            """#,
        "clock-goes-forward": #"""
            {"seq":1,"at":"2026-03-02T09:00:00.000Z","type":"log.opened","schema":1,"app":"com\#
            .example.reader"}
            {"seq":2,"at":"2026-03-02T08:50:00.000Z","type":"log.noted","text":"The clock was \#
            set back by ten minutes."}
            """#,
    ]
}
