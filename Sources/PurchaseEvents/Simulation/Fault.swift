/// A named bug of an app or of a recorder, with the rule that must notice it.
public enum Fault: UInt8, CaseIterable, Hashable, Sendable {
    case observesLate, restoresAtLaunch

    /// The name that the tool takes: the case in kebab-case.
    public var name: String { Fault.names[Int(rawValue)] }

    private static let names: [String] = allCases.map { fault in
        String(describing: fault).reduce(into: "") { name, letter in
            name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    /// The fault of a name; `nil` where there is none.
    public init?(name: String) {
        guard let fault = Fault.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }
}

/// A fault that took effect, and the event that should not have been.
public struct PlantedFault: Hashable, Sendable {
    /// What went wrong.
    public let fault: Fault
    /// The position of the event.
    public let seq: Int64
    /// Whose event it is.
    public let account: String?
    /// The transaction, payment or product at fault.
    public let key: String?
}

extension Fault {
    /// The id of the rule that must notice it.
    public var rule: String {
        switch self {
        case .observesLate: "observed-from-launch"
        case .restoresAtLaunch: "restore-asked-by-user"
        }
    }
}
