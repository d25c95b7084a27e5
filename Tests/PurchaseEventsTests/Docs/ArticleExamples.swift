import PurchaseEvents
import PurchaseProjections
import Testing

// The article "Check a log in a test" shows this file, part by part.

/// The log that the code under test wrote.
private let appLog = Folders.events.appending(path: "valid/bought-in-the-tunnel.jsonl")
    .path(percentEncoded: false)

/// The findings of all rules in a log, as an editor shows them.
func findings(inLogAt path: String) throws -> [String] {
    let reader = LogReader()
    var check = Check(names: reader.decoder.names)
    try reader.read(logAt: path) { line in
        check.observe(line)
        return true
    }
    return check.finish().flatMap { rule, report in
        report.findings.map { "\(path):\($0.line): [\(rule.id)] \($0.message)" }
    }
}

@Test func `the app's log breaks no rule`() throws {
    #expect(try findings(inLogAt: appLog) == [])
}

@Test func `the app's log delivers and finishes`() throws {
    let reader = LogReader()
    var check = Check(names: reader.decoder.names)
    try reader.read(logAt: appLog) { line in
        check.observe(line)
        return true
    }
    let tested = Set(check.finish().filter { $0.report.tested > 0 }.map { $0.rule.id })
    #expect(tested.isSuperset(of: ["finished-implies-delivered", "delivered-once"]))
}

@Test func `the user has the reader`() throws {
    let reader = LogReader()
    var show = Show([Entitlements.self], names: reader.decoder.names)
    try reader.read(logAt: appLog) { line in
        show.observe(line)
        return true
    }
    let products = show.rows(of: Entitlements.self).filter(\.isActive).map(\.product)
    #expect(products == ["com.example.reader.pro"])
}

@Test func `a log that breaks a rule has a finding with its line`() throws {
    let log = Folders.events.appending(path: "violations/finished-implies-delivered.jsonl")
    let found = try findings(inLogAt: log.path(percentEncoded: false))
    #expect(found.count == 1)
    #expect(found[0].contains("finished-implies-delivered.jsonl:4: [finished-implies-delivered]"))
}
