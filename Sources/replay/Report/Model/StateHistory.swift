import PurchaseEvents
import PurchaseProjections

/// The rows of a few projections after each event of a small log, stored as changes.
struct StateHistory {
    struct Step {
        var line: Int
        var seq: Int64
        var at: Timestamp
        var words: String
    }

    /// A change of the list of rows after a step: from `start`, `inserted` replaces `removed` rows.
    struct Splice: Hashable {
        var step: Int
        var start: Int
        var removed: Int
        /// The new rows, as indices of ``StateTable/rows``.
        var inserted: [Int]
    }

    var log: Int
    var steps: [Step] = []
    var tables: [StateTable]
}

/// The rows of a projection over the events of a log.
struct StateTable {
    var name: String, title: String
    var keys: [String]
    /// Every row that ever occurs, with its cells as texts; a cell without a value is empty.
    private(set) var rows: [[String]] = []
    private(set) var splices: [StateHistory.Splice] = []
    /// The rows after the latest step, as indices of ``rows``.
    private(set) var current: [Int] = []
    private var indexByCells: [[ExactName]: Int] = [:]

    init(_ name: String, _ title: String, keys: [String]) {
        (self.name, self.title) = (name, title)
        self.keys = keys
    }

    mutating func add(_ fields: [[RowField]], after step: Int) {
        let next = fields.map { index(of: cells($0)) }
        guard next != current else { return }
        var start = 0
        while start < min(next.count, current.count), next[start] == current[start] { start += 1 }
        var end = 0
        while end < min(next.count, current.count) - start,
            next[next.count - 1 - end] == current[current.count - 1 - end]
        {
            end += 1
        }
        splices.append(
            StateHistory.Splice(
                step: step, start: start, removed: current.count - start - end,
                inserted: Array(next[start..<next.count - end])))
        current = next
    }

    private mutating func index(of cells: [String]) -> Int {
        let key = cells.map(\.exact)
        if let index = indexByCells[key] { return index }
        rows.append(cells)
        indexByCells[key] = rows.count - 1
        return rows.count - 1
    }

    private func cells(_ fields: [RowField]) -> [String] {
        keys.map { key in fields.first { $0.key == key }.map { StateTable.text($0.value) } ?? "" }
    }

    private static func text(_ value: RowValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let integer): String(integer)
        case .flag(let flag): flag ? "yes" : "no"
        case .time(let time): TextFormat.time(time)
        case .list(let values): values.map { text($0) }.joined(separator: "; ")
        case .object(let fields):
            fields.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        }
    }
}
