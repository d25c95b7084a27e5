import PurchaseEvents

/// The lines of a log that a growth shape makes.
///
/// Each line gets the next `seq` and is recorded one minute after the line before it.
package struct LogText {
    /// The lines so far, without line ends.
    package private(set) var lines: [String] = []
    /// The account that lines name; `nil` for none.
    package var account: String? = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
    /// The device that lines name; `nil` for none.
    package var device: String? = "phone"

    /// Starts a log with its `log.opened`.
    package init() {
        lines.append(
            #"{"seq":1,"at":"2020-01-01T00:00:00.000Z","type":"log.opened","schema":1}"#)
    }

    /// The minute at which the next line is recorded.
    package var minute: Int { lines.count }

    /// The time at a minute, quoted.
    package func time(_ minute: Int) -> String {
        let start: Int64 = 1_577_836_800_000
        return "\"\(Timestamp(milliseconds: start + Int64(minute) * 60_000).text)\""
    }

    /// Adds a line with a type and its members, such as `"product":"p"`.
    ///
    /// - Parameter signed: The minute at which the App Store signed the statement.
    package mutating func add(
        _ type: EventType, _ members: String = "", id: String? = nil, signed: Int? = nil
    ) {
        var line =
            "{\"seq\":\(lines.count + 1),\"at\":\(time(minute)),\"type\":\"\(type.wireName)\""
        if let id { line += ",\"id\":\"\(id)\"" }
        if let account { line += ",\"account\":\"\(account)\"" }
        if let device { line += ",\"device\":\"\(device)\"" }
        if let signed { line += ",\"signedAt\":\(time(signed))" }
        lines.append(line + (members.isEmpty ? "" : "," + members) + "}")
    }

    /// Adds bytes that are no event.
    package mutating func add(garbage: String) { lines.append(garbage) }

    /// The bytes of the log.
    package var text: String { lines.joined(separator: "\n") + "\n" }
}
