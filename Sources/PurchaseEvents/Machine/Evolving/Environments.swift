/// A set of environments in which something was stated (G9.3).
struct Environments: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let production = Environments(rawValue: 1), sandbox = Environments(rawValue: 2)
    static let xcode = Environments(rawValue: 4)

    /// The environment that counts: production before sandbox before xcode.
    var first: Environment? {
        if contains(.production) { return .production }
        if contains(.sandbox) { return .sandbox }
        return contains(.xcode) ? .xcode : nil
    }
}

extension Environments {
    init(_ environment: Environment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        case .xcode: self = .xcode
        }
    }
}
