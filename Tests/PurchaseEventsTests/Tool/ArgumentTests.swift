import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

struct ArgumentTests {
    @Test func `an option takes its value after an equals sign or as the next argument`() throws {
        for arguments in [
            ["check", "--rule=lifecycle", "--max-findings=3", "log"],
            ["check", "--rule", "lifecycle", "log", "--max-findings", "3"],
            ["check", "--rule=lifec", "--max-findings=3", "--", "log"],
        ] {
            let check = try #require(try Parser.parse(arguments) as? CheckCommand)
            #expect(check.rules.fromCatalogue.map(\.info.id) == ["lifecycle"])
            #expect(check.limit == 3)
            #expect(check.input.paths == ["log"])
        }
    }

    @Test func `a rule may be named more than once, and rules run in the catalogue's order`() throws
    {
        let arguments = ["check", "--rule=lifecycle", "--rule=delivered-once", "x"]
        let check = try #require(try Parser.parse(arguments) as? CheckCommand)
        #expect(check.rules.fromCatalogue.map(\.info.id) == ["delivered-once", "lifecycle"])
    }

    @Test func `two dashes end the options`() throws {
        let check = try #require(
            try Parser.parse(["check", "--", "--strict", "-"]) as? CheckCommand)
        #expect(check.input.paths == ["--strict", "-"])
        #expect(!check.isStrict)
    }

    @Test func `a day without a time is its first instant`() throws {
        let check = try #require(
            try Parser.parse(["check", "--until", "2026-02-20", "x"]) as? CheckCommand)
        #expect(check.input.stop == .time(try #require(Timestamp("2026-02-20T00:00:00.000Z"))))
    }

    @Test func `help is asked for in every way`() {
        let help = replay("help", "check").output
        #expect(replay("check", "--help").output == help)
        #expect(replay("check", "-h", "x").output == help)
        #expect(replay("--help").output == replay("help").output)
        #expect(replay("help").status == .well)
        #expect(replay("--version").output == "replay \(Tool.version)\n")
    }

    @Test(arguments: [
        ("chekc", "check"), ("expalin", "explain"), ("halp", "help"), ("stat", "stats"),
        ("rule", "rules"), ("xyzzy", ""), ("", ""),
    ])
    func `the nearest word is found`(_ typed: String, _ meant: String) {
        let found = NearestWord.find(typed, in: CommandCatalogue.all.map { $0.name })
        #expect(found ?? "" == meant)
    }

    @Test func `the distance of words counts swapped neighbours once`() {
        #expect(NearestWord.distance("check", "check") == 0)
        #expect(NearestWord.distance("chekc", "check") == 1)
        #expect(NearestWord.distance("ceck", "check") == 1)
        #expect(NearestWord.distance("", "abc") == 3)
        #expect(NearestWord.distance("abc", "") == 3)
    }
}
