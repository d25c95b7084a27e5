import PurchaseEvents
import PurchaseSimulation

/// A short log of restores, launches and the like, of few accounts and several devices.
struct RandomRestores {
    /// An event as a rule file sees it.
    struct Moment {
        var type: String
        /// The time in milliseconds.
        var at: Int64
        /// The keys that events are joined by; the unnamed device is `""`.
        var keys: [String: String]
    }

    /// How the clocks of the devices go.
    enum Clocks: Int64, CaseIterable {
        /// All alike, always forward.
        case alike
        /// Each forward, but apart.
        case apart
        /// Forward and back.
        case unsteady
    }

    /// The events; the line of the first is 1.
    let moments: [Moment]
    let clocks: Clocks

    static let types = [
        "restore.requested", "restore.completed", "app.launched", "queue.observed",
        "queue.unobserved", "payment.allowed",
    ]

    init(_ choices: any ChoiceSource, upTo most: Int64) {
        let clocks = choices.pick(Clocks.allCases)
        let start: Int64 = 1_767_225_600_000
        var now = start
        var moments = [Moment(type: "log.opened", at: start, keys: ["device": ""])]
        let isBusy = choices.happens(oncePer: 2)
        for _ in 0..<choices.number(in: 2...most) {
            choices.mark()
            now += choices.pick([30, 1, 60, 0, 90, 1440]) * Timestamp.minute
            var keys = ["device": choices.pick(["x", "y", "z", ""])]
            if !choices.happens(oncePer: 6) {
                keys["account"] = choices.pick(isBusy ? ["a", "b"] : ["a", "b", "c", "d"])
            }
            var at = now
            switch clocks {
            case .alike: break
            case .apart:
                let ahead: Int64 = ["x": 0, "y": 45, "z": 200][keys["device"] ?? "", default: 100]
                at += ahead * Timestamp.minute
            case .unsteady: at -= choices.pick([0, 15, 60, 300]) * Timestamp.minute
            }
            moments.append(Moment(type: choices.pick(RandomRestores.types), at: at, keys: keys))
        }
        (self.moments, self.clocks) = (moments, clocks)
    }

    var lines: [String] {
        moments.enumerated().map { index, moment in
            let at = Timestamp(milliseconds: moment.at).text
            var line = #"{"seq":\#(index + 1),"at":"\#(at)","type":"\#(moment.type)""#
            if moment.type == "log.opened" { line += #","schema":1"# }
            for key in ["account", "device"] {
                if let name = moment.keys[key], !name.isEmpty { line += #","\#(key)":"\#(name)""# }
            }
            if moment.type == "restore.requested" { line += #","by":"user""# }
            return line + "}"
        }
    }

    /// The bytes of the log.
    var bytes: [UInt8] { lines.flatMap { Array($0.utf8) + [0x0A] } }
}
