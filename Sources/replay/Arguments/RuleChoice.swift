import PurchaseEvents
import PurchaseProjections

/// The rules that a command line selects, from the catalogue and from rule files.
struct RuleChoice {
    let files: [String]
    /// The typed ids, or beginnings of ids; empty means all rules.
    private let typed: [String]
    private let isOnly: Bool
    private let given: ParsedArguments
    /// The rules of the catalogue: without rule files, only the typed ones; with `--part`, only
    /// those that can check a part.
    private(set) var fromCatalogue: [CheckedRule] = []

    private static let maximumFileSize = 1 << 20

    init(_ given: ParsedArguments, files option: Option, typed: [String]) throws(UsageError) {
        files = given.all(option)
        self.typed = typed
        isOnly = given.has(.only)
        self.given = given
        if isOnly, files.isEmpty {
            throw UsageError("`--only` runs only your own rules: add --rules=FILE")
        }
        if files.contains("-") { try given.expectOneInput(files + given.operands) }
        if given.has(.part), !files.isEmpty {
            throw UsageError("`--rules` goes with a whole log, not with --part")
        }
        // Without rule files, report wrong ids before reading anything.
        let catalogue = given.rules.map { CheckedRule($0) }
        fromCatalogue = files.isEmpty ? try select(catalogue) : catalogue
        guard given.has(.part) else { return }
        fromCatalogue = fromCatalogue.compactMap(\.ofPart)
        if fromCatalogue.isEmpty {
            throw UsageError(
                "\(UsageError.list(typed)) can't be checked on a part: check the whole log")
        }
    }

    /// The rules, in the order of the catalogue and then of the files.
    func rules(_ session: ToolSession) throws -> [CheckedRule] {
        guard !files.isEmpty else { return fromCatalogue }
        let catalogue = fromCatalogue
        var own: [CheckedRule] = []
        for file in files {
            let bytes = try session.bytes(
                of: file, atMost: RuleChoice.maximumFileSize, advice: "expected a file of rules")
            do throws(RuleFileError) {
                let taken = (catalogue + own).map(\.info.id)
                own += try WrittenRule.rules(of: bytes, file: file, taken: taken)
                    .map { CheckedRule($0) }
            } catch {
                throw UsageError(error.description)
            }
        }
        return try select(isOnly ? own : catalogue + own)
    }

    private func select(_ rules: [CheckedRule]) throws(UsageError) -> [CheckedRule] {
        guard !typed.isEmpty else { return rules }
        var wanted: Set<String> = []
        for typed in typed { wanted.insert(try given.rule(typed, among: rules).info.id) }
        return rules.filter { wanted.contains($0.info.id) }
    }
}
