import PurchaseEvents

/// The findings of a rule of a rule file, found slowly and obviously: every event is compared with
/// every other.
struct SlowRule {
    let rule: RandomRule
    let moments: [RandomRestores.Moment]

    /// What a rule reports of a log.
    struct Answer: Equatable {
        var lines: [Int] = []
        var tested = 0
        /// Whether an event still waits at the end of the log.
        var isOpen = false
    }

    var answer: Answer {
        switch rule.form {
        case .followed: followed
        case .preceded: judged { place in precedes(place) || isExcused(place) }
        case .notPreceded: judged { place in !isBanned(place) }
        case .notFollowed: notFollowed
        case .never:
            Answer(
                lines: moments.indices.filter { isEach($0) }.map { $0 + 1 },
                tested: moments.indices.count { rule.each.types.contains(moments[$0].type) })
        case .atMost(let most): atMost(most)
        }
    }

    // MARK: Looking back

    /// The tested events, and as findings those for which something doesn't hold.
    private func judged(_ holds: (Int) -> Bool) -> Answer {
        let tested = moments.indices.filter { isEach($0) && isComplete($0) }
        return Answer(lines: tested.filter { !holds($0) }.map { $0 + 1 }, tested: tested.count)
    }

    private var notFollowed: Answer {
        let found = moments.indices.filter {
            matches(rule.other, $0) && isComplete($0) && isBanned($0)
        }
        return Answer(
            lines: found.map { $0 + 1 },
            tested: moments.indices.count { isEach($0) && isComplete($0) })
    }

    /// Whether the required event comes before an event, not ended by one of `before`.
    private func precedes(_ place: Int) -> Bool {
        let start = latest(rule.before, before: place) ?? 0
        return (0..<place).contains {
            $0 >= start && matches(rule.other, $0) && areJoined($0, place) && isWithin($0, place)
        }
    }

    /// Whether one of `unless` comes before an event, not ended by one of `before`.
    private func isExcused(_ place: Int) -> Bool {
        guard let unless = rule.unless else { return false }
        let start = latest(rule.before, before: place) ?? 0
        return (0..<place).contains {
            $0 >= start && matches(unless.phrase, $0) && same(unless.same, $0, place)
                && isWithin($0, place)
        }
    }

    /// Whether an event comes after one that it must not come after, and nothing between lifts it.
    private func isBanned(_ place: Int) -> Bool {
        let start = max(
            latest(rule.before, before: place) ?? 0, latest(rule.unless, before: place) ?? 0)
        return (0..<place).contains {
            $0 >= start && isEarlierOfPair($0) && areJoined($0, place) && isWithin($0, place)
        }
    }

    private func isEarlierOfPair(_ place: Int) -> Bool {
        rule.form == .notFollowed ? isEach(place) : matches(rule.other, place)
    }

    // MARK: Waiting

    private var followed: Answer {
        var answer = Answer()
        for place in moments.indices where isEach(place) && isComplete(place) {
            answer.tested += 1
            switch wait(place) {
            case true?: break
            case false?: answer.lines.append(place + 1)
            case nil: answer.isOpen = true
            }
        }
        return answer
    }

    /// Whether a wait ends well; `nil` if it doesn't end with the log.
    private func wait(_ start: Int) -> Bool? {
        for place in moments.indices.dropFirst(start + 1) {
            let isIn = isWithin(start, place)
            if case .launches = rule.span, !isIn { return false }
            if matches(rule.other, place), areJoined(start, place) { return isIn }
            if let unless = rule.unless, matches(unless.phrase, place),
                same(unless.same, start, place)
            {
                return isIn
            }
            if let before = rule.before, matches(before.phrase, place),
                same(before.same, start, place)
            {
                return false
            }
        }
        guard case .time(let minutes) = rule.span else {
            return rule.span == nil && rule.before == nil ? false : nil
        }
        let end = moments.map(\.at).max() ?? 0
        return end - moments[start].at > minutes * Timestamp.minute ? false : nil
    }

    // MARK: At most

    private func atMost(_ most: Int) -> Answer {
        let counted = moments.indices.filter { isEach($0) && isComplete($0) }
        let found = counted.filter { place in
            let near = counted.filter { $0 < place && same(rule.same, $0, place) }
                .filter { isNear($0, place) }
            guard let key = rule.different else { return near.count >= most }
            let values = Set(near.map { moments[$0].keys[key] })
            return !values.contains(moments[place].keys[key]) && values.count >= most
        }
        return Answer(lines: found.map { $0 + 1 }, tested: counted.count)
    }

    /// Whether the numbers of a rule with `at most` are exact: rules remember only the latest
    /// events where clocks differ, or where there are many.
    var isExact: Bool {
        guard rule.isAtMost else { return true }
        guard case .time = rule.span else { return moments.count { isOfEach($0) } <= 16 }
        return zip(moments, moments.dropFirst()).allSatisfy { $0.at <= $1.at }
    }

    private func isOfEach(_ moment: RandomRestores.Moment) -> Bool {
        rule.each.types.contains(moment.type)
    }

    // MARK: The parts of a rule

    private func matches(_ phrase: RandomRule.Phrase, _ place: Int) -> Bool {
        let moment = moments[place]
        guard phrase.types.contains(moment.type) else { return false }
        return phrase.device.map { $0 == moment.keys["device"] } ?? true
    }

    private func isEach(_ place: Int) -> Bool {
        guard matches(rule.each, place) else { return false }
        return rule.after == nil || latest(rule.after, before: place) != nil
    }

    /// Whether an event has the keys that join it to another.
    private func isComplete(_ place: Int) -> Bool {
        (rule.same + [rule.different].compactMap { $0 }).allSatisfy {
            moments[place].keys[$0] != nil
        }
    }

    private func same(_ keys: [String], _ first: Int, _ second: Int) -> Bool {
        keys.allSatisfy { key in
            moments[first].keys[key].map { $0 == moments[second].keys[key] } ?? false
        }
    }

    private func areJoined(_ first: Int, _ second: Int) -> Bool {
        guard same(rule.same, first, second) else { return false }
        guard let key = rule.different else { return true }
        guard let one = moments[first].keys[key], let two = moments[second].keys[key] else {
            return false
        }
        return one != two
    }

    /// The place of the latest event of a clause before an event.
    private func latest(_ joined: RandomRule.Joined?, before place: Int) -> Int? {
        guard let joined else { return nil }
        return (0..<place).last { matches(joined.phrase, $0) && same(joined.same, $0, place) }
    }

    /// Whether the span of an event isn't over at a later one.
    private func isWithin(_ first: Int, _ second: Int) -> Bool {
        switch rule.span {
        case nil: return true
        case .time(let minutes):
            return moments[second].at - moments[first].at <= minutes * Timestamp.minute
        case .launches(let count):
            let launches = moments[(first + 1)...second].filter {
                $0.type == "app.launched" && $0.keys["device"] == moments[first].keys["device"]
            }
            return launches.count < count
        }
    }

    /// Whether two events are at most the span apart.
    private func isNear(_ first: Int, _ second: Int) -> Bool {
        guard case .time(let minutes) = rule.span else { return isWithin(first, second) }
        return abs(moments[second].at - moments[first].at) <= minutes * Timestamp.minute
    }
}
