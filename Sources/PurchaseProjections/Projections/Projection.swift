import PurchaseEvents

/// A fold of a log into rows that answer one question (tool.md, `show`).
///
/// A projection reads events and ``Facts``, never another projection. What was known after a line
/// is the rows after folding that far; what was true at an instant is the argument of ``rows``.
public protocol Projection: Sendable {
    /// What a row of it is.
    associatedtype Row: ProjectionRow
    /// The word that `show` takes.
    static var name: String { get }
    /// The question that it answers, in one line.
    static var summary: String { get }
    /// The types of event that it folds beside the facts.
    static var reads: EventTypes { get }

    /// The projection at the beginning of a log.
    init()

    /// Reads an event; `facts` have taken it in already.
    mutating func observe(_ event: Event<Interned>, on line: Line, _ facts: Facts)

    /// Calls `body` with each row by what is known now, as true at an instant, in an order that
    /// depends on their content alone.
    func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (Row) -> Void)

    /// Appends the rows as lines, those of one account where it is given. The default fits every
    /// projection; it is asked for here so that each has one made for its rows.
    func appendRows(
        _ facts: Facts, asOf instant: Timestamp, of account: String?, to lines: inout RowLines)
}

extension Projection {
    /// The rows by what is known now, as true at an instant, in an order that depends on their
    /// content alone.
    public func rows(_ facts: Facts, asOf instant: Timestamp) -> [Row] {
        var rows: [Row] = []
        forEachRow(facts, asOf: instant) { rows.append($0) }
        return rows
    }

    /// Appends the rows as lines, those of one account where it is given.
    public func appendRows(
        _ facts: Facts, asOf instant: Timestamp, of account: String?, to lines: inout RowLines
    ) {
        forEachRow(facts, asOf: instant) { row in
            if row.isOf(account) { lines.append(row) }
        }
    }
}

/// A row of a projection.
public protocol ProjectionRow: Hashable, Sendable {
    /// Writes the row's keys and values in the order of tool.md; what there is nothing to say of is
    /// left out.
    func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer)
    /// The account that the row is of; `nil` where no fact says.
    var account: String? { get }
}

extension ProjectionRow {
    /// The row's keys and values in the order of tool.md; what there is nothing to say of is left
    /// out.
    public var fields: [RowField] {
        var fields = RowFields()
        write(to: &fields)
        return fields.all
    }

    /// Whether the row is of an account, by the bytes of its name; of any where none is given.
    func isOf(_ wanted: String?) -> Bool {
        guard let wanted else { return true }
        return account.map { $0.utf8.elementsEqual(wanted.utf8) } ?? false
    }
}

/// A key and a value of a row.
public struct RowField: Hashable, Sendable {
    /// The JSON key.
    public let key: String
    /// The value.
    public let value: RowValue

    /// A key with its value.
    public init(_ key: String, _ value: RowValue) {
        self.key = key
        self.value = value
    }

    /// A key with its value; `nil` where there is no value.
    public init?(_ key: String, _ value: RowValue?) {
        guard let value else { return nil }
        self.init(key, value)
    }
}

/// A value of a row, as JSON knows it.
public enum RowValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case flag(Bool)
    case time(Timestamp)
    case list([RowValue])
    case object([RowField])

    /// Text, where there is any.
    public static func text(_ text: String?) -> RowValue? { text.map { .text($0) } }
    /// A time, where there is one.
    public static func time(_ time: Timestamp?) -> RowValue? { time.map { .time($0) } }
    /// An integer, where there is one.
    public static func integer(_ integer: Int64?) -> RowValue? { integer.map { .integer($0) } }
    /// A flag, where there is one.
    public static func flag(_ flag: Bool?) -> RowValue? { flag.map { .flag($0) } }
}
