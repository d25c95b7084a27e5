import PurchaseEvents
import PurchaseProjections

/// Divides a log's lines into groups, so that the rows of one group don't depend on the lines of
/// another.
///
/// The smallest group is a family. Which families belong together depends on the projection: an
/// account has one row for all its purchases, and a consumable one row for all purchases of an
/// account. Lines that many groups need, such as the first `catalog.listed` of a product, are in
/// each of them.
struct ChangeGroups {
    struct Group {
        /// The number that represents the group's families and keys.
        var root: Int
        var lines: [Int]
        /// For a large group whose rows add up: a group for each family. Empty for any other group.
        var parts: [Group] = []
    }

    private let named: NamedLines
    private let shared: SharedLines
    private let dependencies: RowDependencies
    private var joins: GroupJoins
    private var roots: [Int32] = []
    /// The number of lines from which a group whose rows add up is read in parts.
    private let splitting: Int

    init(
        _ projection: any Projection.Type, _ lines: LogLines, asOf given: Timestamp?,
        splitting: Int, threads: Int
    ) throws {
        dependencies = ProjectionCatalogue.dependencies(of: projection)
        self.splitting = splitting
        let named = try NamedLines(lines, threads: threads)
        let shared = try SharedLines(lines, named, asOf: given, threads: threads)
        joins = GroupJoins(dependencies, named, shared, isPartial: given != nil)
        roots = joins.roots
        (self.named, self.shared) = (named, shared)
    }

    var lineCount: Int { named.all.count }

    /// The greatest `at` up to a line; lines count from 1.
    func time(at line: Int) -> Timestamp { shared.times[line - 1] }

    /// The first line, counted from 1, at which the greatest `at` so far reaches a time.
    func firstLine(at time: Timestamp) -> Int { shared.times.lowerBound { $0 >= time } + 1 }

    func names(account: String) -> Bool {
        let handle = named.handle(AccountID<Written>(account))
        return handle != 0 && named.all.contains { $0.type != nil && $0.names(account: handle) }
    }

    /// Whether a row belongs to a group's own families and accounts, rather than to a line that the
    /// group shares with others.
    func owns(_ row: ShownRow, _ group: Group) -> Bool {
        if let name = row.text("transaction") ?? row.text("original") {
            return root(of: named.family(ofTransaction: name)) == group.root
        }
        if let name = row.text("payment") {
            return root(of: named.family(ofPayment: name)) == group.root
        }
        let account = row.text("account").map { named.handle(AccountID<Written>($0)) } ?? 0
        guard let product = row.text("product") else {
            return joins.root(of: .account(account)) == group.root
        }
        let handle = named.handle(ProductID<Written>(product))
        return joins.root(of: .stock(account, handle)) == group.root
    }

    private func root(of family: UInt32) -> Int { family == 0 ? -1 : Int(roots[Int(family) - 1]) }

    // MARK: Groups

    /// The groups with a line that names an account, or all groups if the account is `nil`, in
    /// batches.
    func batches(account: String?) -> [[Group]] {
        var own: [Int: [Int]] = [:]
        for index in named.all.indices {
            if let root = root(ofLine: index) { own[root, default: []].append(index) }
        }
        if let leading = dependencies.leadingTypes, shared.grantLines.isEmpty {
            own = own.filter { _, lines in
                lines.contains { named.all[$0].type.map(leading.contains) ?? false }
            }
        }
        if let account {
            let handle = named.handle(AccountID<Written>(account))
            own = own.filter { _, lines in
                handle != 0 && lines.contains { named.all[$0].names(account: handle) }
            }
        }
        return ChangeGroups.batched(
            own.map { root, lines in
                var group = group(root, lines)
                if dependencies.reach == .account, lines.count >= splitting {
                    group.parts = Dictionary(grouping: lines) { named.all[$0].family }.values
                        .map { self.group(root, $0) }
                }
                return group
            })
    }

    private func group(_ root: Int, _ lines: [Int]) -> Group {
        Group(root: root, lines: shared.lines(for: lines, dependencies, named))
    }

    /// Divides groups into batches that are read with one name table each.
    ///
    /// A batch has several groups, to share the cost of setting up a decoder, but few lines,
    /// because each group sets up memory for all names of its batch.
    static func batched(_ groups: [Group]) -> [[Group]] {
        var batches: [[Group]] = []
        var batch: [Group] = []
        var count = 0
        for group in groups {
            batch.append(group)
            count += group.lines.count
            if count >= 256 {
                batches.append(batch)
                (batch, count) = ([], 0)
            }
        }
        return batch.isEmpty ? batches : batches + [batch]
    }

    /// The number that represents a line's group; `nil` if the line belongs to no group or to
    /// several.
    private func root(ofLine index: Int) -> Int? {
        let lineNames = named.all[index]
        if lineNames.family != 0 { return root(of: lineNames.family) }
        return joins.key(of: lineNames).flatMap { joins.root(of: $0) }
    }
}
