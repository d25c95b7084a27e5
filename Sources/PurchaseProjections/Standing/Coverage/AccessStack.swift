import PurchaseEvents

/// Accesses in a segment tree over the lines of the uses that ask for them.
///
/// An access lies at the few nodes that together make up its lines, and a use looks at the nodes on
/// the way from its line to the root. Each node is a heap, so the accesses with the greatest keys
/// come first.
struct AccessStack {
    private struct Entry {
        var key: Timestamp
        var box: Int
    }

    /// The most accesses that one search looks at. A search fails to find an access only behind so
    /// many that don't allow its use.
    private static let most = 64

    /// The lines of all uses, in order and each once.
    private let lines: [LineNumber]
    private var heaps: [[Entry]]

    init(lines all: [LineNumber]) {
        var lines: [LineNumber] = []
        for line in all.sorted() where line != lines.last { lines.append(line) }
        self.lines = lines
        heaps = Array(repeating: [], count: lines.count * 2)
    }

    mutating func insert(_ box: Int, key: Timestamp, _ range: Range<LineNumber>) {
        var low = lines.lowerBound { $0 >= range.lowerBound } + lines.count
        var high = lines.lowerBound { $0 >= range.upperBound } + lines.count
        while low < high {
            if low & 1 == 1 {
                heaps[low].push(Entry(key: key, box: box)) { $0.key > $1.key }
                low += 1
            }
            if high & 1 == 1 {
                high -= 1
                heaps[high].push(Entry(key: key, box: box)) { $0.key > $1.key }
            }
            low >>= 1
            high >>= 1
        }
    }

    /// Calls `body` with the accesses whose key is later than an instant, until it returns `true`.
    func forEach(at line: LineNumber, keyAfter instant: Timestamp, _ body: (Int) -> Bool) {
        var left = AccessStack.most
        var node = lines.lowerBound { $0 >= line } + lines.count
        while node > 0 {
            var places = [0]
            while let place = places.popLast() {
                guard place < heaps[node].count, heaps[node][place].key > instant else { continue }
                if left == 0 || body(heaps[node][place].box) { return }
                left -= 1
                places.append(2 * place + 2)
                places.append(2 * place + 1)
            }
            node >>= 1
        }
    }

    /// Calls `body` with each use that comes after the key of an access, and the latest such
    /// access.
    static func latest(
        of accesses: [(key: Timestamp, box: Int, lines: Range<LineNumber>)], for uses: [Use],
        at places: [Int], _ body: (_ place: Int, _ box: Int) -> Void
    ) {
        guard !accesses.isEmpty else { return }
        let byKey = accesses.sorted { ($0.key, $0.box) < ($1.key, $1.box) }
        var stack = AccessStack(lines: places.map { uses[$0].line })
        var next = 0
        for place in places.sorted(by: { uses[$0].at < uses[$1].at }) {
            while next < byKey.count, byKey[next].key <= uses[place].at {
                stack.insert(byKey[next].box, key: byKey[next].key, byKey[next].lines)
                next += 1
            }
            if let box = stack.top(at: uses[place].line) { body(place, box) }
        }
    }

    /// The access with the greatest key; of equal ones, the least.
    private func top(at line: LineNumber) -> Int? {
        var best: Entry?
        var node = lines.lowerBound { $0 >= line } + lines.count
        while node > 0 {
            if let top = heaps[node].first,
                best.map({ ($0.key, top.box) < (top.key, $0.box) }) ?? true
            {
                best = top
            }
            node >>= 1
        }
        return best?.box
    }
}
