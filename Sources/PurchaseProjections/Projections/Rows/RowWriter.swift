import PurchaseEvents

/// Receives the keys and values of a row in the order of tool.md; `nil` values are left out.
public protocol RowWriter: ~Copyable {
    /// Writes a text.
    mutating func write(_ key: StaticString, _ text: String?)
    /// Writes an integer.
    mutating func write(_ key: StaticString, _ number: Int64?)
    /// Writes a Boolean.
    mutating func write(_ key: StaticString, _ flag: Bool?)
    /// Writes a time.
    mutating func write(_ key: StaticString, _ time: Timestamp?)
    /// Writes a list of texts.
    mutating func write(_ key: StaticString, _ texts: [String])
    /// Writes amounts as an object keyed by currency.
    mutating func write(_ key: StaticString, _ amounts: [AccountRow.Amount])
    /// Writes an object; `body` writes its fields.
    mutating func write(_ key: StaticString, _ body: (inout Self) -> Void)
    /// Writes a list of objects; `body` writes each object's fields.
    mutating func write<Element>(
        _ key: StaticString, _ elements: [Element], _ body: (Element, inout Self) -> Void)
}

struct RowFields: RowWriter {
    private(set) var all: [RowField] = []

    mutating func write(_ key: StaticString, _ text: String?) { add(key, .text(text)) }

    mutating func write(_ key: StaticString, _ number: Int64?) { add(key, .integer(number)) }

    mutating func write(_ key: StaticString, _ flag: Bool?) { add(key, .flag(flag)) }

    mutating func write(_ key: StaticString, _ time: Timestamp?) { add(key, .time(time)) }

    mutating func write(_ key: StaticString, _ texts: [String]) {
        add(key, .list(texts.map { .text($0) }))
    }

    mutating func write(_ key: StaticString, _ amounts: [AccountRow.Amount]) {
        add(key, .object(amounts.map { RowField($0.currency, .integer($0.thousandths)) }))
    }

    mutating func write<Element>(
        _ key: StaticString, _ elements: [Element], _ body: (Element, inout RowFields) -> Void
    ) {
        let objects = elements.map { element in
            var fields = RowFields()
            body(element, &fields)
            return RowValue.object(fields.all)
        }
        add(key, .list(objects))
    }

    mutating func write(_ key: StaticString, _ body: (inout RowFields) -> Void) {
        var fields = RowFields()
        body(&fields)
        add(key, .object(fields.all))
    }

    private mutating func add(_ key: StaticString, _ value: RowValue?) {
        if let value { all.append(RowField(key.description, value)) }
    }
}
