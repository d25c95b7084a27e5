import PurchaseEvents

/// Lists of indices by key, stored as linked lists: an entry takes eight bytes, a key four.
///
/// Lists of accounts keep entries that moved to another account, so readers check the current
/// owner.
struct IndexLists: Sendable, Snapshotted {
    private struct Cell: Sendable {
        var value: UInt32
        var next: UInt32
    }

    private var cells = DenseTable(Cell(value: 0, next: 0))
    private var heads = DenseTable<UInt32>(0)
    /// The lists that hold each value that was ever moved.
    private var moved = HandleMap(false)

    mutating func visitFields(_ visitor: FieldVisitor) {
        visitor.visit(&cells).visit(&heads).visit(&moved)
    }

    var count: Int { cells.count }

    /// The key of an account's list, never 0; `nil` stands for an unknown account.
    static func key(_ account: AccountHandle?) -> UInt32 {
        account.map { UInt32($0.index) + 2 } ?? 1
    }

    /// Adds a value to a list, unless that list already contains it.
    ///
    /// - Parameter before: The list that the value was added to last, where the value also stays;
    ///   0 for a value that is in no list.
    mutating func put(_ value: UInt32, under key: UInt32, before: UInt32) {
        if before != 0 {
            moved[HandleKey(value, before)] = true
            guard moved[HandleKey(value, key)] == nil else { return }
            moved[HandleKey(value, key)] = true
        }
        add(value, under: key)
    }

    mutating func add(_ value: UInt32, under key: UInt32) {
        cells.append(Cell(value: value, next: heads[Int(key)]))
        heads[Int(key)] = UInt32(cells.count)
    }

    /// Whether any value of a list meets a condition; tests the latest values first.
    func contains(under key: UInt32, where condition: (UInt32) -> Bool) -> Bool {
        var next = heads[Int(key)]
        while next != 0 {
            let cell = cells[Int(next) - 1]
            if condition(cell.value) { return true }
            next = cell.next
        }
        return false
    }

    /// Whether a list is empty, as most are.
    @inline(__always)
    func isEmpty(under key: UInt32) -> Bool { heads[Int(key)] == 0 }

    /// The values of a list, latest first.
    func values(under key: UInt32) -> [UInt32] { values(under: key, since: 0) }

    /// A mark of what a list holds now.
    func mark(of key: UInt32) -> UInt32 { heads[Int(key)] }

    /// The values of a list that were added since a mark, latest first.
    func values(under key: UInt32, since mark: UInt32) -> [UInt32] {
        var values: [UInt32] = []
        var next = heads[Int(key)]
        while next != mark {
            let cell = cells[Int(next) - 1]
            values.append(cell.value)
            next = cell.next
        }
        return values
    }
}
