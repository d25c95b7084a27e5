import Foundation
import Testing

/// The action for GitHub. The tests run its script in a repository of their own, with a stand-in
/// for the tool that prints its arguments.
@Suite(
    .enabled("skipped where there is no bash or no git") {
        SystemTool.isInstalled("bash") && SystemTool.isInstalled("git")
    })
struct ActionTests {
    private let folder: TemporaryFolder
    private let script = Folders.root.appending(path: ".github/check-logs")
        .path(percentEncoded: false)

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            #!/usr/bin/env bash
            echo "$*"
            for log; do :; done
            case $log in *bad*) exit 1 ;; *unread*) exit 2 ;; *missing*) exit 66 ;; esac
            """, to: folder.path + "/stand-in")
        _ = try shell("chmod +x stand-in")
    }

    /// Runs bash in the folder.
    private func shell(_ program: String) throws -> (status: Int32, output: String) {
        let bash = try #require(SystemTool("bash"))
        return try bash.run(["--norc", "-c", program], in: folder.path)
    }

    /// Runs the action's script with the given variables.
    private func check(_ variables: String) throws -> (status: Int32, lines: [String]) {
        let ran = try shell("\(variables) REPLAY=./stand-in '\(script)'")
        return (ran.status, ran.output.split(separator: "\n").map(String.init))
    }

    @Test func `the logs that are named are checked one by one, and the gravest status counts`()
        throws
    {
        let well = try check("LOGS=$'some log.jsonl\\n\\nlogs\\n'")
        #expect(well.status == 0)
        #expect(
            well.lines == [
                "check --format=github -- some log.jsonl", "check --format=github -- logs",
            ])
        #expect(try check("LOGS=$'unread\\nbad\\nmissing'").status == 1)
        #expect(try check("LOGS=$'a\\nunread\\nmissing\\nb'").status == 2)
        let strict = try check("LOGS=a STRICT=true")
        #expect(strict.lines == ["check --format=github --strict -- a"])
    }

    @Test func `the logs that a pull request adds or changes are checked`() throws {
        let made = try shell(
            """
            set -e
            git init -q . && git config user.email a@example.com && git config user.name a
            mkdir -p logs/folder
            touch gone.jsonl same.jsonl 'logs/changed log.jsonl' notes.txt
            git add . && git commit -qm base
            git rm -q gone.jsonl
            echo 1 > 'logs/changed log.jsonl'; echo 1 > notes.txt; echo 1 > -bad.jsonl
            echo 1 > logs/folder/0000000000000000.jsonl
            echo 1 > logs/folder/0000000000000512.jsonl
            git add . && git commit -qm change
            """)
        #expect(made.status == 0, "\(made.output)")
        let ran = try check("BASE=$(git rev-parse HEAD~1)")
        #expect(ran.status == 1)
        #expect(
            ran.lines.sorted() == [
                "check --format=github -- -bad.jsonl",
                "check --format=github -- logs/changed log.jsonl",
                "check --format=github -- logs/folder",
            ])
        let none = try check("BASE=$(git rev-parse HEAD)")
        #expect(none.status == 0 && none.lines.isEmpty)
        let lost = try check("BASE=\(String(repeating: "0", count: 40))")
        #expect(lost.status == 66)
        #expect(lost.lines.last?.contains("fetch-depth: 0") == true)
    }

    @Test func `without logs and outside a pull request the script says what to do`() throws {
        let ran = try check("")
        #expect(ran.status == 64)
        #expect(
            ran.lines == [
                "::error::no logs to check: this is no pull request, so set the input logs"
            ])
    }

    @Test func `a release's program is used if its sum is right, else one is built`() throws {
        let made = try shell(
            """
            set -e
            mkdir -p bin served 'tree/replay-0.1.0/bin'
            name=replay-0.1.0-linux-$(uname -m)
            [ "$(uname -s)" != Darwin ] || name=replay-0.1.0-macos-universal
            mv tree/replay-0.1.0 "tree/$name" && cp stand-in "tree/$name/bin/replay"
            tar -C tree -czf "served/$name.tar.gz" "$name"
            (cd served && { sha256sum * 2>/dev/null || shasum -a 256 *; } >../sums)
            cp sums served/SHA256SUMS
            # The last two of curl's arguments that matter: -o FILE and the address.
            echo '#!/usr/bin/env bash' >bin/curl
            echo 'while [ $# -gt 1 ]; do [ "$1" != -o ] || to=$2; shift; done' >>bin/curl
            echo 'cp "served/${1##*/}" "$to"' >>bin/curl
            printf '#!/usr/bin/env bash\necho "swift $*"\n' >bin/swift
            chmod +x bin/*
            """)
        #expect(made.status == 0, "\(made.output)")
        let script = Folders.root.appending(path: ".github/install-replay")
            .path(percentEncoded: false)
        func install(_ ref: String) throws -> String {
            let variables =
                "PATH=$PWD/bin:$PATH RUNNER_TEMP=$PWD/temp ACTION_PATH=/action "
                + "ACTION_REPOSITORY=a/b ACTION_REF=\(ref)"
            return try shell("\(variables) '\(script)' 2>/dev/null").output
        }
        #expect(try install("0.1.0").hasSuffix("/bin/replay\n"))
        let built = "/action/.build/debug/replay\n"
        for ref in ["main", "0.2.0"] { #expect(try install(ref) == built) }
        _ = try shell("sed -i.old 's/^..../0000/' served/SHA256SUMS")
        #expect(try install("0.1.0") == built)
    }

    @Test func `the action passes what the script reads, and README names its inputs`() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Folders.root.appending(path: path), encoding: .utf8)
        }
        let action = try text("action.yml")
        let script = try text(".github/check-logs")
        for variable in ["LOGS", "STRICT", "BASE", "REPLAY"] {
            #expect(action.contains("        \(variable): "))
            #expect(script.contains("${\(variable)") && script.contains("#   \(variable)"))
        }
        let readme = try text("README.md")
        for input in ["logs", "strict"] {
            #expect(action.contains("\n  \(input):\n"))
            #expect(readme.contains("`\(input)`"))
        }
    }
}
