import PurchaseEvents
import PurchaseProjections

/// Known findings, so that only new findings count.
///
/// A finding is known by its rule, key and account, whatever its line.
public struct Baseline: Sendable {
    private var known: Set<FindingName> = []
    private var met: Set<FindingName> = []

    /// The error for an invalid line of a baseline.
    public struct Problem: Error, Hashable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The message: what was seen and what was expected.
        public let message: String
    }

    /// Reads findings as `replay check --format=json` prints them, one a line; ignores verdicts and
    /// diagnostics.
    public init(_ bytes: [UInt8]) throws(Problem) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let value: JSONValue
            do {
                value = try JSONReader.document(Array(line))
            } catch {
                throw Problem(
                    line: index + 1,
                    message: "byte \(error.offset + 1): \(error.message); expected a finding as "
                        + "`replay check --format=json` prints it")
            }
            if value["diagnostic"] != nil || value["verdict"] != nil { continue }
            guard let rule = value["rule"]?.plainText else {
                throw Problem(line: index + 1, message: "expected an object with the key `rule`")
            }
            known.insert(
                FindingName(
                    rule: rule, key: value["key"]?.plainText, account: value["account"]?.plainText))
        }
    }

    /// Whether a finding is known; records that it occurred.
    public mutating func meets(_ finding: Finding) -> Bool { meets(FindingName(finding)) }

    /// Whether the findings of a rule that name an account and a key are known; records that they
    /// occurred.
    package mutating func meets(
        rule: String, _ name: FindingCounts.Name, _ names: NameTable
    ) -> Bool {
        let account = name.account.map { Array(names.text(of: $0).utf8) }
        return meets(FindingName(rule: rule, key: name.key, account: account))
    }

    private mutating func meets(_ name: FindingName) -> Bool {
        guard known.contains(name) else { return false }
        met.insert(name)
        return true
    }

    /// The number of known findings that didn't occur although they were looked for.
    ///
    /// - Parameters:
    ///   - rules: The ids of the rules that were checked.
    ///   - account: The only account whose findings count; `nil` means all.
    public func gone(of rules: Set<String>, account: String? = nil) -> Int {
        let account = account.map { Array($0.utf8) }
        return known.count { name in
            rules.contains(name.rule) && (account == nil || name.account == account)
                && !met.contains(name)
        }
    }
}
