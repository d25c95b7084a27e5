import PurchaseEvents

extension Mutation {
    static let stranger = "7c9e6679-7425-40de-944b-e07fc1f90ae7"

    /// The circumstances of the recording: who, where, when, at which `seq`.
    static let ofEnvelope: [Mutation] = [
        Mutation("given to another account", .account) { $0[.account] == nil ? [] : [stranger] },
        Mutation("given to no account", .account) { _ in [nil] },
        Mutation("given to an e-mail address", .account) {
            $0[.account] == nil ? [] : ["alice@example.com"]
        }.atEveryThird,
        Mutation("given to another device", .device) { _ in ["another-device"] }.atEveryThird,
        Mutation("taken from another environment") { log, index in
            let home = log[0][.environment] ?? "production"
            let own = log[index][.environment] ?? home
            let other = own == "production" ? "sandbox" : "production"
            return log.replacing(index, by: log[index].saying(other, for: .environment))
        },
        Mutation("recorded an hour back", .at, by: -Timestamp.hour).atEveryThird,
        Mutation("recorded a year back", .at, by: -year).atEveryThird,
        Mutation("recorded ten years on", .at, by: 10 * year).atEveryThird,
        Mutation("signed a year back", .signedAt, by: -year),
        Mutation("signed a year on", .signedAt, by: year),
        Mutation("stated by no notification", .source) { _ in [nil] },
        Mutation("the positions go on two further") { log, index in
            [log.enumerated().map { $1.with([.seq: "\($0 + ($0 < index ? 1 : 2))"]) }]
                .filter { _ in index > 0 }
        }.atEveryThird,
        Mutation("the position of the event before") { log, index in
            index == 0 ? [] : log.replacing(index, by: log[index].with([.seq: "\(index)"]))
        }.atEveryThird,
        Mutation("the id of the event before") { log, index in
            guard index > 0, let id = log[index - 1][.id] else { return [] }
            return log.replacing(index, by: log[index].saying(id, for: .id))
        },
        Mutation("the id of another content") { log, index in
            guard let id = log[index][.id] else { return [] }
            return [
                log.inserting(
                    MutableRow(.appLaunched, besides: log[index], [.id: id]), at: index + 1)
            ]
        },
    ]
}
