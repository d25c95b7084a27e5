import PurchaseEvents

/// Simplifies a counterexample by removing choices and lowering others.
struct Shrinker {
    private var best: Counterexample
    private let budget: Int
    private var tries = 0
    private let replay: ([Int64]) -> Counterexample?

    init(_ found: Counterexample, budget: Int, replay: @escaping ([Int64]) -> Counterexample?) {
        best = found
        (self.budget, self.replay) = (budget, replay)
    }

    /// The simplest case found within the budget.
    mutating func shrink() -> Counterexample {
        repeat {
            // Removing choices gains more than lowering them, and the first choices often decide
            // the length of everything else.
            while leaveOutSomething() && mayTry {}
        } while (lower(best.choices.count) || lowerAndLeaveOut() || leaveOutAny()) && mayTry
        best.shrinks = tries
        return best
    }

    private mutating func leaveOutSomething() -> Bool {
        let before = best.choices
        _ = cutEnd()
        _ = lower(2)
        _ = leaveOutMarked()
        _ = lower(2)
        _ = clear()
        _ = leaveOut()
        return best.choices != before
    }

    /// Whether the budget allows another try.
    private var mayTry: Bool { tries < budget }

    /// Tries a list of choices; returns whether the case fails and is simpler than the best one so
    /// far.
    private mutating func attempt(_ choices: [Int64]) -> Bool {
        guard mayTry, choices != best.choices else { return false }
        tries += 1
        guard let simpler = replay(choices), simpler.isSimpler(than: best) else { return false }
        best = simpler
        return true
    }

    /// Removes the end of the list: half of it, then a quarter, and so on.
    private mutating func cutEnd() -> Bool {
        var isSimpler = false
        var length = best.choices.count / 2
        while length > 0 {
            let kept = best.choices.count - length
            if kept >= 0, attempt(Array(best.choices.prefix(kept))) {
                isSimpler = true
            } else {
                length /= 2
            }
        }
        return isSimpler
    }

    /// Removes stretches between marks, longest first.
    ///
    /// The choices between two marks are one unit of the generator's work.
    private mutating func leaveOutMarked() -> Bool {
        var isSimpler = false
        for width in [48, 32, 24, 16, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1] {
            var place = best.marks.count - width
            while place >= 0, mayTry {
                let marks = best.marks + [best.choices.count]
                if place + width < marks.count {
                    var fewer = best.choices
                    fewer.removeSubrange(marks[place]..<marks[place + width])
                    if attempt(fewer) { isSimpler = true }
                }
                place -= 1
            }
        }
        return isSimpler
    }

    /// Removes stretches of choices, longest first.
    private mutating func leaveOut() -> Bool {
        var isSimpler = false
        var length = min(64, max(1, best.choices.count / 2))
        while length > 0 {
            var place = best.choices.count - length
            while place >= 0, mayTry {
                if place + length <= best.choices.count {
                    var fewer = best.choices
                    fewer.removeSubrange(place..<place + length)
                    if attempt(fewer) { isSimpler = true }
                }
                place -= max(1, length / 2)
            }
            length /= 2
        }
        return isSimpler
    }

    /// Sets stretches of choices to 0.
    private mutating func clear() -> Bool {
        var isSimpler = false
        for length in [32, 8, 2, 1] {
            var place = 0
            while place < best.choices.count, mayTry {
                let end = min(place + length, best.choices.count)
                if best.choices[place..<end].contains(where: { $0 != 0 }) {
                    var simpler = best.choices
                    for index in place..<end { simpler[index] = 0 }
                    if attempt(simpler) { isSimpler = true }
                }
                place += length
            }
        }
        return isSimpler
    }

    /// Removes every possible stretch, longest first, once the list is short.
    private mutating func leaveOutAny() -> Bool {
        guard best.choices.count <= 96 else { return false }
        var isSimpler = false
        var length = best.choices.count - 1
        while length > 0, mayTry {
            var place = 0
            while place + length <= best.choices.count, mayTry {
                var fewer = best.choices
                fewer.removeSubrange(place..<place + length)
                if attempt(fewer) { isSimpler = true } else { place += 1 }
            }
            length = min(length - 1, best.choices.count - 1)
        }
        return isSimpler
    }

    /// Lowers a choice and removes choices that were drawn only because it was higher.
    private mutating func lowerAndLeaveOut() -> Bool {
        guard best.choices.count <= 96 else { return false }
        var isSimpler = false
        var place = 0
        while place < best.choices.count, mayTry {
            if lowerAndLeaveOut(place) { isSimpler = true } else { place += 1 }
        }
        return isSimpler
    }

    private mutating func lowerAndLeaveOut(_ place: Int) -> Bool {
        let choice = best.choices[place]
        guard choice > 0 else { return false }
        let stretches = stretches(after: place)
        for lower in Set([0, choice / 2, choice - 1]).sorted() {
            for stretch in stretches {
                var simpler = best.choices
                simpler[place] = lower
                simpler.removeSubrange(stretch)
                if attempt(simpler) { return true }
            }
        }
        return false
    }

    /// The stretches that may depend on an earlier choice: those right after it, short ones further
    /// on, and those between marks.
    private func stretches(after place: Int) -> [Range<Int>] {
        let end = best.choices.count
        var stretches = (place + 1..<max(place + 1, min(end, place + 40))).map {
            place + 1..<$0 + 1
        }
        for start in place + 2..<max(place + 2, end) {
            stretches += (1...5).map { start..<start + $0 }.filter { $0.upperBound <= end }
        }
        let marks = best.marks.filter { $0 > place } + [end]
        for (index, mark) in marks.enumerated() {
            stretches += marks[(index + 1)...].prefix(16).map { mark..<$0 }
        }
        return stretches
    }

    /// Lowers each of the first `count` choices by its whole value, then by half of it, and so on.
    private mutating func lower(_ count: Int) -> Bool {
        var isSimpler = false
        var place = 0
        while place < min(count, best.choices.count), mayTry {
            var step = best.choices[place]
            while step > 0, place < best.choices.count {
                var simpler = best.choices
                guard simpler[place] >= step else {
                    step = min(step / 2, simpler[place])
                    continue
                }
                simpler[place] -= step
                if attempt(simpler) { isSimpler = true } else { step /= 2 }
            }
            place += 1
        }
        return isSimpler
    }
}
