import PurchaseEvents
import PurchaseProjections

/// A line at which a row of a projection appeared, changed or vanished.
public struct RowEvent: Hashable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The row before the line; `nil` if the row appeared.
    public let before: ShownRow?
    /// The row after the line; `nil` if the row vanished.
    public let after: ShownRow?

    /// Creates a change of a row at a line.
    public init(line: Int, before: ShownRow?, after: ShownRow?) {
        (self.line, self.before, self.after) = (line, before, after)
    }

    /// The keys whose values changed.
    public var changes: [RowChange] { RowChange.between(before, after) }

    /// The row's identity.
    public var identity: RowIdentity? { (after ?? before).map { RowIdentity($0) } }
}

/// The history of a projection's rows: each line at which a row changed.
///
/// After each line, rows show what was known then. Without an instant, rows are true at the
/// greatest `at` so far, so a row also changes at the first line whose time reaches one of the
/// row's dates. Cost: the log is divided into independent parts; a part of `n` lines costs about as
/// much as `n` folds of the part. The row of a large account is added up from the rows of its
/// families, each of them a part.
public struct RowChanges {
    private let groups: ChangeGroups
    private let lines: LogLines
    private let projection: any Projection.Type
    private let given: Timestamp?
    private let threads: Int

    /// Reads a log and divides its lines into groups.
    ///
    /// - Parameters:
    ///   - projection: The projection whose rows change.
    ///   - lines: The lines of the log.
    ///   - instant: The instant at which rows are true; `nil` means the greatest `at` so far.
    ///   - threads: The number of threads to use; the result does not depend on it.
    public init(
        _ projection: any Projection.Type, in lines: LogLines, asOf instant: Timestamp? = nil,
        threads: Int = 1
    ) throws {
        try self.init(projection, in: lines, asOf: instant, splitting: 256, threads: threads)
    }

    /// Reads a group of at least `splitting` lines family by family, if its rows add up.
    package init(
        _ projection: any Projection.Type, in lines: LogLines, asOf instant: Timestamp? = nil,
        splitting: Int, threads: Int = 1
    ) throws {
        (self.lines, self.projection, self.threads) = (lines, projection, threads)
        given = instant
        groups = try ChangeGroups(
            projection, lines, asOf: instant, splitting: splitting, threads: threads)
    }

    /// Whether a line names an account.
    public func names(account: String) -> Bool { groups.names(account: account) }

    /// Every change, by line; changes at one line have the order of the projection's rows.
    ///
    /// - Parameter account: Only changes with this account in the row before or after; `nil` means
    ///   all.
    public func all(account: String? = nil) throws -> [RowEvent] {
        try map(account: account) { $0 }
    }

    /// The results of `transform` for every change, in the order of ``all(account:)``.
    ///
    /// - Parameters:
    ///   - account: The account of the rows before or after; `nil` means all.
    ///   - transform: Called on any thread, in any order.
    public func map<Made>(
        account: String? = nil, _ transform: (RowEvent) -> Made
    ) throws -> [Made] {
        let batches = groups.batches(account: account)
        let made = concurrentMap(batches.count, threads: threads) { index in
            Result { try changes(in: batches[index], account, transform) }
        }
        var all = try made.flatMap { try $0.get() }
        all.sort { left, right in
            left.line != right.line ? left.line < right.line : left.order < right.order
        }
        return all.map(\.made)
    }

    private typealias Ordered<Made> = (line: Int, order: String, made: Made)

    private func changes<Made>(
        in batch: [ChangeGroups.Group], _ account: String?, _ transform: (RowEvent) -> Made
    ) throws -> [Ordered<Made>] {
        var made: [Ordered<Made>] = []
        func add(_ changes: [RowEvent]) {
            for change in changes where change.concerns(account) {
                made.append((change.line, change.order, transform(change)))
            }
        }
        try follow(batch.filter { $0.parts.isEmpty }, add)
        for group in batch where !group.parts.isEmpty {
            if let changes = try sum(group) { add(changes) } else { try follow([group], add) }
        }
        return made
    }

    /// The changes of a group, added up from those of its parts; `nil` if they don't add up.
    private func sum(_ group: ChangeGroups.Group) throws -> [RowEvent]? {
        var changes: [RowEvent] = []
        for batch in ChangeGroups.batched(group.parts) { try follow(batch) { changes += $0 } }
        return AccountSum.joined(changes)
    }

    private func follow(_ groups: [ChangeGroups.Group], _ body: ([RowEvent]) -> Void) throws {
        guard let first = groups.first else { return }
        let decoder = LineDecoder()
        var index = 0
        var history = RowHistory(first, projection, decoder.names, self.groups, asOf: given)
        var linesLeft = first.lines.count
        try lines.taking(groups.lazy.flatMap(\.lines)).read(decoder) { lines in
            for line in lines {
                while linesLeft == 0 {
                    body(history.end())
                    index += 1
                    history = RowHistory(
                        groups[index], projection, decoder.names, self.groups, asOf: given)
                    linesLeft = groups[index].lines.count
                }
                history.observe(line)
                linesLeft -= 1
            }
        }
        body(history.end())
    }
}

extension RowEvent {
    fileprivate func concerns(_ account: String?) -> Bool {
        guard let account else { return true }
        return [before, after].contains { $0?.text("account")?.isSame(as: account) ?? false }
    }

    fileprivate var order: String { identity.map { RowJSON.text(of: $0.fields) } ?? "" }
}
