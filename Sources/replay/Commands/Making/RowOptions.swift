import PurchaseEvents
import PurchaseImport

/// The options of `replay import rows`, and the row mapping that they describe.
enum RowOptions {
    static let described: [Option] =
        [.rowType] + Option.rowColumns + [.rowSet, .rowWhere, .rowZone, .rowAmounts]
    /// All options that only `rows` takes.
    static let all = described + [.rowMapping]
    static let largestMapping = 1 << 20

    /// The mapping that the arguments describe; `nil` if `--mapping` names a file.
    static func mapping(_ given: ParsedArguments) throws(UsageError) -> RowMapping? {
        if given.has(.rowMapping) {
            if let other = described.first(where: { given.has($0) }) {
                throw UsageError(
                    "`--mapping` and `--\(other.name)` exclude each other: the mapping file "
                        + "describes everything")
            }
            return nil
        }
        guard let name = given.value(.rowType), let type = EventType(wireName: name) else {
            throw UsageError(
                "`replay import rows` needs --type=TYPE, such as --type=delivery.delivered, or "
                    + "--mapping=FILE")
        }
        var columns: [Key: String] = [:]
        for (key, option) in zip(RowMapping.keys, Option.rowColumns) {
            columns[key] = given.value(option)
        }
        var constants: [Key: String] = [:]
        for (name, value) in try pairs(.rowSet, given) {
            guard let key = RowMapping.keys.first(where: { $0.wireName == name }) else {
                throw UsageError(unknown: "key", name, among: RowMapping.keys.map(\.wireName))
            }
            guard constants.updateValue(value, forKey: key) == nil else {
                throw UsageError("`--set=\(name)` is given twice")
            }
        }
        let conditions = try pairs(.rowWhere, given).map { column, value in
            let isNegated = column.hasSuffix("!")
            return RowMapping.Condition(
                column: isNegated ? String(column.dropLast()) : column, values: [value],
                isNegated: isNegated)
        }
        let event = RowMapping.EventMapping(
            type: type, columns: columns, constants: constants, conditions: conditions)
        let zone = try zone(given)
        let amounts = given.value(.rowAmounts).flatMap { AmountUnit(rawValue: $0) }
        do throws(RowMappingProblem) {
            return try RowMapping(
                events: [event], zone: zone, amounts: amounts ?? .thousandths)
        } catch {
            throw usage(error)
        }
    }

    /// Throws if neither a column nor `--recorded-at` gives the time of an event.
    static func checkTimes(_ mapping: RowMapping, _ recordedAt: Timestamp?) throws(UsageError) {
        guard recordedAt == nil, !mapping.namesTimes else { return }
        throw UsageError(
            "expected the time of each row: --at=COLUMN, or --recorded-at=TIME for all of them")
    }

    private static func usage(_ problem: RowMappingProblem) -> UsageError {
        let name = problem.key?.wireName
        let hint = name.map { ": --\($0)=COLUMN or --set=\($0)=VALUE" } ?? ""
        let isMissing = problem.message.contains("needs a column or a constant")
        return UsageError(problem.message + (isMissing ? hint : ""))
    }

    /// The values of an option as pairs; in each value, `=` separates a name from a text.
    private static func pairs(
        _ option: Option, _ given: ParsedArguments
    ) throws(UsageError) -> [(name: String, value: String)] {
        var pairs: [(String, String)] = []
        for text in given.all(option) {
            let parts = text.parts(around: "=")
            guard parts.count == 2, !parts[0].isEmpty else {
                throw UsageError(
                    "`--\(option.name)`: expected \(option.value ?? ""), seen `\(text)`")
            }
            pairs.append((parts[0], parts[1]))
        }
        return pairs
    }

    private static func zone(_ given: ParsedArguments) throws(UsageError) -> Int64? {
        guard let text = given.value(.rowZone) else { return nil }
        guard let zone = RowMapping.zone(text) else {
            throw UsageError("`--zone`: expected a zone such as +01:00, seen `\(text)`")
        }
        return zone
    }
}
