/// Suggests the word that a user probably meant.
package enum NearestWord {
    /// The word of the list that is most similar to the typed one; `nil` if none is similar enough.
    package static func find(_ typed: String, in words: [String]) -> String? {
        if typed.count > 1, let longer = words.first(where: { $0.hasPrefix(typed) }) {
            return longer
        }
        let ranked = words.map { (word: $0, distance: distance(typed, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        let allowed = max(1, min(typed.count, best.word.count) / 3 + 1)
        if best.distance <= allowed { return best.word }
        return typed.count > 3 ? words.first { $0.contains(typed) } : nil
    }

    /// The edit distance: the least number of letters to insert, delete, replace or swap with a
    /// neighbour.
    package static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased().unicodeScalars.prefix(64))
        let right = Array(right.lowercased().unicodeScalars.prefix(64))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1)
                cost = min(cost, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
