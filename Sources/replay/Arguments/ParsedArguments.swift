import PurchaseEvents
import PurchaseProjections

/// The arguments of a command line, matched against the options of its command.
struct ParsedArguments {
    let command: String
    /// The first operand that the command declares.
    private let declared: Operand?
    private(set) var operands: [String] = []
    let rules: [any Rule.Type]
    private var values: [(name: String, value: String)] = []

    /// Matches the arguments after the command's name; `nil` if they ask for help.
    init?(
        _ arguments: some Sequence<String>, to command: any ToolCommand.Type, rules: [any Rule.Type]
    ) throws(UsageError) {
        self.command = command.name
        declared = command.operands.first
        self.rules = rules
        let options = command.allOptions
        var rest = Array(arguments)[...]
        var isEnded = false
        while let argument = rest.popFirst() {
            if isEnded || argument == "-" || !argument.hasPrefix("-") {
                operands.append(argument)
            } else if argument == "--" {
                isEnded = true
            } else {
                try take(argument, from: &rest, options)
            }
        }
        if has(.help) { return nil }
    }

    private mutating func take(
        _ argument: String, from rest: inout ArraySlice<String>, _ options: [Option]
    ) throws(UsageError) {
        if argument == "-h" { return values.append((Option.help.name, "")) }
        let parts = argument.parts(around: "=")
        let typed = String(parts[0].drop { $0 == "-" })
        guard argument.hasPrefix("--"), let option = options.first(where: { $0.name == typed })
        else {
            throw UsageError(
                unknown: "option", typed, among: options.map(\.name), prefix: "--",
                seen: argument.hasPrefix("--") ? nil : parts[0])
        }
        if !option.repeats, values.contains(where: { $0.name == option.name }) {
            throw UsageError("`--\(option.name)` is given twice")
        }
        guard let kind = option.value else {
            guard parts.count == 1 else { throw UsageError("`--\(option.name)` takes no value") }
            return values.append((option.name, ""))
        }
        var value = parts.count == 2 ? parts[1] : nil
        if value == nil, let next = rest.first, next == "-" || !next.hasPrefix("-") {
            value = next
            rest.removeFirst()
        }
        guard let value, !value.isEmpty else {
            throw UsageError("`--\(option.name)` needs a value: --\(option.name)=\(kind)")
        }
        if case .oneOf(let words) = option.values, !words.contains(value) {
            throw UsageError(unknown: "value", value, among: words, prefix: "--\(option.name)=")
        }
        values.append((option.name, value))
    }

    func has(_ option: Option) -> Bool { values.contains { $0.name == option.name } }

    /// The value of an option; the first one if the option repeats.
    func value(_ option: Option) -> String? { values.first { $0.name == option.name }?.value }

    func all(_ option: Option) -> [String] {
        values.filter { $0.name == option.name }.map(\.value)
    }

    /// The values of several options in the order in which they were typed.
    func all(_ options: [Option]) -> [(option: Option, value: String)] {
        values.compactMap { given in
            options.first { $0.name == given.name }.map { ($0, given.value) }
        }
    }

    func number<Number: FixedWidthInteger>(
        _ option: Option, in range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        guard let text = value(option) else { return nil }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard digits, let number = Number(text), range.contains(number) else {
            let least = range.lowerBound
            let isTooGreat = digits && !text.isEmpty && Number(text) == nil
            let bounds =
                range.upperBound == .max && !isTooGreat
                ? "of at least \(least)" : "from \(least) to \(range.upperBound)"
            throw UsageError(
                "`--\(option.name)`: expected a whole number \(bounds), seen `\(text)`")
        }
        return number
    }

    /// The value of an option as a time; a day alone means its first instant in UTC.
    func time(_ option: Option) throws(UsageError) -> Timestamp? {
        guard let text = value(option) else { return nil }
        guard let time = Timestamp(dayOrTime: text) else {
            throw UsageError(
                "`--\(option.name)`: expected a time such as 2026-02-20T09:00:00Z or a day such as "
                    + "2026-02-20, seen `\(text)`")
        }
        return time
    }

    var format: OutputFormat { value(.format([])).flatMap(OutputFormat.init) ?? .text }

    func stop() throws(UsageError) -> ReadingStop {
        if has(.untilSeq), has(.until) {
            throw UsageError("`--until-seq` and `--until` exclude each other: give one of them")
        }
        if let seq = try number(.untilSeq, in: 1...Int64.max) { return .seq(seq) }
        if let time = try time(.until) { return .time(time) }
        return .never
    }

    /// The logs to read, after `count` other operands.
    func logs(skipping count: Int = 0) throws(UsageError) -> [String] {
        let logs = Array(operands.dropFirst(count))
        guard !logs.isEmpty else {
            throw UsageError("`replay \(command)` needs a log: a file, a folder or `-`")
        }
        try expectOneInput(logs)
        return logs
    }

    /// Throws if standard input would be read more than once.
    func expectOneInput(_ paths: [String]) throws(UsageError) {
        guard paths.count(where: { $0 == "-" }) > 1 else { return }
        throw UsageError("`-` is given twice: standard input can be read only once")
    }

    /// What the first operand stands for, which is one of the words that the command declares.
    func first<Meaning>(_ find: (String) -> Meaning?) throws(UsageError) -> Meaning {
        let kind = declared?.name.lowercased() ?? ""
        let words = declared?.values.words ?? []
        guard let typed = operands.first else {
            throw UsageError("`replay \(command)` needs a \(kind): \(UsageError.list(words))")
        }
        guard let found = find(typed) else { throw UsageError(unknown: kind, typed, among: words) }
        return found
    }

    func atMost(_ count: Int) throws(UsageError) {
        guard operands.count > count else { return }
        throw UsageError("unexpected argument `\(operands[count])`")
    }

    func ruleID(_ typed: String) throws(UsageError) -> String {
        try rule(typed, among: rules.map { CheckedRule($0) }).info.id
    }

    /// The rule that has the typed id, or the only rule whose id begins with it.
    func rule(_ typed: String, among rules: [CheckedRule]) throws(UsageError) -> CheckedRule {
        if let exact = rules.first(where: { $0.info.id == typed }) { return exact }
        let matches = rules.filter { $0.info.id.hasPrefix(typed) }
        if matches.count == 1 { return matches[0] }
        guard matches.isEmpty else {
            throw UsageError(
                "`\(typed)` is the beginning of more than one rule: "
                    + UsageError.list(matches.map { $0.info.id }))
        }
        throw UsageError(
            unknown: "rule", typed, among: rules.map { $0.info.id }, lister: "replay rules")
    }
}

extension String {
    /// The texts around the first separator, or the whole text. Splits by bytes: in a `String`, `=`
    /// with a combining mark would be another character.
    func parts(around separator: Unicode.Scalar) -> [String] {
        utf8.split(
            separator: UInt8(ascii: separator), maxSplits: 1, omittingEmptySubsequences: false
        ).map { String(Substring($0)) }
    }
}
