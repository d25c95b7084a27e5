import PurchaseEvents
import PurchaseSimulation

/// A random rule of a rule file, as data and as text.
struct RandomRule {
    enum Form: Equatable {
        case followed, preceded, notFollowed, notPreceded, never
        case atMost(Int)
    }

    enum Span {
        case time(Int64)
        case launches(Int)
    }

    /// Events of some types or all, perhaps only those of one device.
    struct Phrase {
        var text: String
        var types: Set<String>
        var device: String?

        init(_ choices: any ChoiceSource) {
            let types = RandomRestores.types
            switch choices.choose(below: 7) {
            case 3: (text, self.types) = ("*", Set(types + ["log.opened"]))
            case 0: (text, self.types) = ("restore.*", ["restore.requested", "restore.completed"])
            case 1:
                let two = [choices.pick(types), choices.pick(types)]
                text = "* where type in (\(two[0]), \(two[1]))"
                self.types = Set(two)
            case 2:
                let type = choices.pick(types)
                (text, self.types, device) = ("\(type) where device = x", [type], "x")
            case _:
                let type = choices.pick(types)
                (text, self.types) = (type, [type])
            }
        }
    }

    /// Events that share keys with the rule's event.
    typealias Joined = (phrase: Phrase, same: [String])

    var form: Form
    var each: Phrase
    var other: Phrase
    var same: [String]
    /// The key in which the two events differ.
    var different: String?
    var span: Span?
    var before: Joined?
    var unless: Joined?
    var after: Joined?

    init(_ choices: any ChoiceSource) {
        form = choices.pick([
            .preceded, .followed, .notPreceded, .notFollowed, .atMost(1), .atMost(2), .atMost(3),
            .never,
        ])
        (each, other) = (Phrase(choices), Phrase(choices))
        same = RandomRule.keys(choices)
        if same.count == 1, choices.happens(oncePer: isAtMost ? 2 : 4) {
            different = same == ["account"] ? "device" : "account"
        }
        switch choices.choose(below: 5) {
        case 0: break
        case 1, 2: span = .launches(Int(choices.number(in: 1...2)))
        case _: span = .time(choices.pick([1, 30, 60, 240, 1440]))
        }
        let isPair = form != .never && !isAtMost
        if isPair, choices.happens(oncePer: 3) { before = joined(choices) }
        if isPair, choices.happens(oncePer: 3) { unless = joined(choices) }
        if !isAtMost, choices.happens(oncePer: 5) {
            after = (Phrase(choices), RandomRule.keys(choices))
        }
    }

    var isAtMost: Bool {
        if case .atMost = form { true } else { false }
    }

    private static func keys(_ choices: any ChoiceSource) -> [String] {
        choices.pick([["account"], ["device"], ["account", "device"], ["device", "account"], []])
    }

    /// A clause, which often has the keys of the rule.
    private func joined(_ choices: any ChoiceSource) -> Joined {
        let phrase = Phrase(choices)
        if choices.happens(oncePer: 2) { return (phrase, same) }
        let keys = RandomRule.keys(choices)
        return (phrase, form == .notFollowed ? keys.filter { same.contains($0) } : keys)
    }

    /// The rule without its heading, one clause a line.
    var body: String {
        var lines = ["each \(each.text)"]
        if let after { lines.append("after \(RandomRule.text(after))") }
        switch form {
        case .followed: lines.append("is followed by \(other.text)")
        case .preceded: lines.append("is preceded by \(other.text)")
        case .notFollowed: lines.append("is not followed by \(other.text)")
        case .notPreceded: lines.append("is not preceded by \(other.text)")
        case .never: return (lines + ["never happens"]).joined(separator: "\n")
        case .atMost(let most): lines = ["at most \(most) \(each.text)"]
        }
        lines.append(RandomRule.text(same) + (different.map { " and a different \($0)" } ?? ""))
        switch span {
        case nil: break
        case .time(let minutes): lines.append("within \(minutes) minutes")
        case .launches(let count): lines.append("within \(count) launches")
        }
        if let before { lines.append("before \(RandomRule.text(before))") }
        if let unless { lines.append("unless \(RandomRule.text(unless))\ncomes between") }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func text(_ joined: Joined) -> String {
        joined.phrase.text + (joined.same.isEmpty ? "" : "\n\(text(joined.same))")
    }

    private static func text(_ keys: [String]) -> String {
        keys.isEmpty ? "" : "of the same \(keys.joined(separator: " and "))"
    }
}
