import PurchaseEvents

/// A fold of a log into rows that answer one question (tool.md, `show`).
///
/// A projection reads events and ``Facts``, never another projection. To see what was known after a
/// line, fold up to that line; to see what was true at an instant, pass the instant to
/// ``rows(_:asOf:)``.
public protocol Projection: Sendable {
    /// The type of the projection's rows.
    associatedtype Row: ProjectionRow
    /// The argument of `show`.
    static var name: String { get }
    /// The question that the projection answers, in one line.
    static var summary: String { get }
    /// The event types that the projection folds besides the facts.
    static var reads: EventTypes { get }

    /// Creates the projection at the beginning of a log.
    init()

    /// Reads an event that `facts` already include.
    mutating func observe(_ event: LogEvent, on line: Line, _ facts: Facts)

    /// Calls `body` with each row, as known now and true at an instant, in an order that depends
    /// only on the rows' content.
    func forEachRow(_ facts: Facts, asOf instant: Timestamp, _ body: (Row) -> Void)
}

extension Projection {
    /// The rows as known now and true at an instant, in an order that depends only on their
    /// content.
    public func rows(_ facts: Facts, asOf instant: Timestamp) -> [Row] {
        var rows: [Row] = []
        forEachRow(facts, asOf: instant) { rows.append($0) }
        return rows
    }
}

/// A projection of this package, whose rows become lines without dynamic dispatch for each row.
package protocol CatalogueProjection: Projection {
    /// The keys that identify a row while its other values change; no two rows of a log agree in
    /// all of them.
    static var identity: [String] { get }
    /// The lines besides those of its own family that a row depends on.
    static var dependencies: RowDependencies { get }

    /// Visits the state that a snapshot keeps.
    mutating func visitFields(_ visitor: FieldVisitor)

    /// Appends the rows, or those of one account, as lines.
    ///
    /// The default fits every projection; the requirement makes the compiler specialize it for each
    /// row type.
    func appendRows(
        _ facts: Facts, asOf instant: Timestamp, of account: String?, to lines: inout RowLines)
}

extension Projection {
    /// Appends the rows, or those of one account, as lines.
    package func appendRows(
        _ facts: Facts, asOf instant: Timestamp, of account: String?, to lines: inout RowLines
    ) {
        forEachRow(facts, asOf: instant) { row in
            if row.isOf(account) { lines.append(row) }
        }
    }
}

extension CatalogueProjection {
    /// The default: the projection has no state besides the facts.
    package mutating func visitFields(_ visitor: FieldVisitor) {}
}

/// A row of a projection; it prints itself as JSON on one line.
public protocol ProjectionRow: Hashable, Sendable, CustomStringConvertible {
    /// Writes the row's keys and values in the order of tool.md; absent values are left out.
    func write<Writer: RowWriter & ~Copyable>(to writer: inout Writer)
    /// The account that the row is about; `nil` if unknown.
    var account: String? { get }
}

extension ProjectionRow {
    /// The row's keys and values in the order of tool.md; absent values are left out.
    public var fields: [RowField] {
        var fields = RowFields()
        write(to: &fields)
        return fields.all
    }

    /// The row as JSON on one line, as `show --format=json` prints it.
    public var description: String { RowJSON.text(of: fields) }

    /// Whether the row is about the given account, compared by bytes; always true for `nil`.
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

    /// Creates a field from a key and a value.
    public init(_ key: String, _ value: RowValue) {
        self.key = key
        self.value = value
    }

    /// Creates a field from a key and a value; `nil` if there is no value.
    public init?(_ key: String, _ value: RowValue?) {
        guard let value else { return nil }
        self.init(key, value)
    }
}

/// A JSON value in a row.
public enum RowValue: Hashable, Sendable {
    /// A text.
    case text(String)
    /// An integer.
    case integer(Int64)
    /// `true` or `false`.
    case flag(Bool)
    /// An instant, as its text.
    case time(Timestamp)
    /// A list.
    case list([RowValue])
    /// An object.
    case object([RowField])

    /// A text value; `nil` if there is no text.
    public static func text(_ text: String?) -> RowValue? { text.map { .text($0) } }
    /// A time value; `nil` if there is no time.
    public static func time(_ time: Timestamp?) -> RowValue? { time.map { .time($0) } }
    /// An integer value; `nil` if there is no integer.
    public static func integer(_ integer: Int64?) -> RowValue? { integer.map { .integer($0) } }
    /// A Boolean value; `nil` if there is no flag.
    public static func flag(_ flag: Bool?) -> RowValue? { flag.map { .flag($0) } }
}
