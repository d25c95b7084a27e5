import Foundation
import PurchaseEvents
import PurchaseProjections

@testable import replay

/// The result of a run of the tool.
struct Ran {
    var status: ToolStatus
    var output: String
    var error: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the tool in memory.
@discardableResult
func replay(
    _ arguments: String..., on host: TestHost = TestHost(),
    rules: [any Rule.Type] = RuleCatalogue.all
) -> Ran {
    replay(arguments, on: host, rules: rules)
}

/// Runs the tool in memory.
@discardableResult
func replay(
    _ arguments: [String], on host: TestHost, rules: [any Rule.Type] = RuleCatalogue.all
) -> Ran {
    let status = Tool.run(arguments, on: host, rules: rules)
    return Ran(status: status, output: host.output, error: host.error)
}

extension TestHost {
    /// A system with files of text.
    convenience init(_ files: [String: String]) {
        self.init()
        self.files = files.mapValues { Array($0.utf8) }
    }

    /// A system with files; `nil` for one that isn't there.
    convenience init(bytes: [String: [UInt8]?]) {
        self.init()
        files = bytes.compactMapValues(\.self)
    }

    /// A system with one file of the package, at its path in there.
    convenience init(ofPackage path: String) throws {
        try self.init(bytes: [path: Folders.bytes(of: Folders.root.appending(path: path))])
    }

    /// A system with a text on standard input.
    convenience init(input: String) {
        self.init()
        self.input = Array(input.utf8)
    }

    /// A system with the sample logs at their paths in the package.
    static func samples(_ folder: String) throws -> TestHost {
        let host = TestHost()
        for file in Folders.files(in: Folders.events.appending(path: folder), "jsonl") {
            host.files["events/\(folder)/\(file.lastPathComponent)"] = try Folders.bytes(of: file)
        }
        return host
    }
}

/// A log with two purchases, for the tests of the tool.
enum Logs {
    static let small = Timeline(
        """
        app.launched device=phone
        queue.purchased transaction=t1 product=coins quantity=2 account=a1
        delivery.delivered transaction=t1
        queue.finished transaction=t1 account=a1
        queue.purchased transaction=t2 product=coins account=a2
        queue.finished transaction=t2 account=a2
        """
    ).lines

    /// Lines as the text of a file.
    static func text(_ lines: some Sequence<String>) -> String { lines.map { $0 + "\n" }.joined() }
}
