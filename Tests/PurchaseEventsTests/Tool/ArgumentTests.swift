import PurchaseEvents
import PurchaseProjections
import Testing

@testable import replay

@Suite struct ArgumentTests {
    /// Wrong arguments, and words that the error must contain.
    private static let wrong: [(arguments: [String], words: String)] = [
        ([], "expected a command"),
        (["chek", "x"], "unknown command `chek`: did you mean `check`?"),
        (["version"], "unknown command `version`: did you mean `--version`?"),
        (["verison"], "unknown command `verison`: did you mean `--version`?"),
        (["verifi"], "unknown command `verifi`: did you mean `verify`?"),
        (["--strict", "check"], "expected a command before `--strict`"),
        (["--version", "x"], "unexpected argument `x`"),
        (["check"], "`replay check` needs a log: a file, a folder or `-`"),
        (["check", "--fromat=json", "x"], "unknown option `--fromat`: did you mean `--format`?"),
        (["check", "--max", "x"], "unknown option `--max`: did you mean `--max-findings`?"),
        (["check", "-v", "x"], "unknown option `-v`"),
        (["check", "-verbose", "x"], "unknown option `-verbose`: did you mean `--verbose`?"),
        (["--verison"], "unknown option `--verison`: did you mean `--version`?"),
        (["-help"], "unknown option `-help`: did you mean `--help`?"),
        (["check", "--format=jsn", "x"], "`--format=jsn`: did you mean `--format=json`?"),
        (["stats", "--format=sarif", "x"], "unknown value `--format=sarif`: expected"),
        (["check", "--strict", "--strict", "x"], "`--strict` is given twice"),
        (["check", "--format=json", "--format", "text", "x"], "`--format` is given twice"),
        (["check", "--strict=yes", "x"], "`--strict` takes no value"),
        (["check", "x", "--rule"], "`--rule` needs a value: --rule=ID"),
        (["check", "--account=", "x"], "`--account` needs a value"),
        (["check", "--rule=delivered-ones", "x"], "did you mean `delivered-once`?"),
        (
            ["check", "--rule=finished", "x"],
            "`finished` is the beginning of more than one rule: finished-"
        ),
        (["check", "--until-seq=0", "x"], "expected a whole number of at least 1, seen `0`"),
        (
            ["check", "--until-seq=9999999999999999999", "x"],
            "expected a whole number from 1 to 9223372036854775807, seen `9999999999999999999`"
        ),
        (["check", "--max-findings=many", "x"], "expected a whole number from 0 to"),
        (["check", "--until=yesterday", "x"], "expected a time such as 2026-02-20T09:00:00Z"),
        (["check", "--until=2026-02-30", "x"], "seen `2026-02-30`"),
        (
            ["check", "--until=2026-02-20", "--until-seq=4", "x"],
            "`--until-seq` and `--until` exclude each other"
        ),
        (["check", "--verbose", "--format=sarif", "x"], "`--verbose` goes with --format=text"),
        (["check", "-", "-"], "`-` is given twice"),
        (["show"], "needs a projection: entitlements"),
        (["show", "pendng", "x"], "unknown projection `pendng`: did you mean `pending`?"),
        (["show", "pending", "--non-renewing=stays", "x"], "goes with the projection receipt"),
        (["show", "receipt", "--non-renewing=stay", "x"], "did you mean `--non-renewing=stays`?"),
        (["show", "pending"], "needs a log"),
        (["explain"], "needs a key"),
        (["rules", "delivered-one"], "unknown rule"),
        (["rules", "zzzzzz"], "unknown rule `zzzzzz`: `replay rules` lists all"),
        (["rules", "lifecycle", "more"], "unexpected argument `more`"),
        (["import"], "needs a source: app-store"),
        (["import", "appstore", "x"], "unknown source `appstore`: did you mean `app-store`?"),
        (["import", "app-store"], "needs a file"),
        (["recover"], "`replay recover` needs one log: a file or a folder of segments"),
        (["generate", "--plan=-"], "`--plan` needs a file: standard output takes the log"),
        (["generate", "--start=9999-12-31"], "`--start`: expected at most `9996-"),
        (["help", "exlpain"], "did you mean `explain`?"),
        (["check", "--for\u{1B}[2J", "x"], "`--for\\u001b[2J`"),
    ]

    @Test(arguments: wrong)
    func `wrong arguments are told with the nearest right word`(
        _ arguments: [String], _ words: String
    ) {
        let host = TestHost()
        let status = Tool.run(arguments, on: host)
        #expect(status == .usage)
        #expect(host.output.isEmpty)
        #expect(host.error.contains(words), "\(host.error)")
        #expect(host.error.contains("replay help"))
    }

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
