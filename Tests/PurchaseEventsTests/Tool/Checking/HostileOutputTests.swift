import Testing

@testable import PurchaseEvents
@testable import replay

/// Text that is hostile to a terminal or to a parser of annotations.
private enum Hostile {
    /// One scalar of each kind that must be escaped when printed.
    static let unsafe: [Unicode.Scalar] = [
        "\u{0}", "\u{7}", "\u{8}", "\u{9}", "\u{A}", "\u{C}", "\u{D}", "\u{1B}", "\u{1F}",
        "\u{7F}", "\u{80}", "\u{85}", "\u{9B}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}",
        "\u{2028}", "\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}",
    ]
    static let text = "x" + String(String.UnicodeScalarView(unsafe)) + "\u{1B}[31m::error::"
    /// The hostile scalars that a name may hold.
    static let name = "n" + String(String.UnicodeScalarView(unsafe.suffix(9)))
    static let path = "\u{1B}]0;a\u{7}\u{202E}\u{9B}\u{2028}%,:.jsonl"
}

/// Whatever a log, a file name or an argument contains, printed output can't control a terminal.
struct HostileOutputTests {
    /// The unsafe scalars of a text, except newlines and the tabs between table cells.
    private func unsafe(in text: String, _ allowed: Set<Unicode.Scalar> = ["\n"]) -> [String] {
        text.unicodeScalars.filter { EscapedText.isUnsafe($0) && !allowed.contains($0) }
            .map { "U+" + String($0.value, radix: 16) }
    }

    private func raw(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A log that is hostile wherever possible: in names, texts, keys, values and raw bytes.
    private func log() throws -> [UInt8] {
        let (name, text) = (Hostile.name, Hostile.text)
        let at = Timestamp(milliseconds: 1_771_578_000_000)
        let account = AccountID<Written>(name + "@x.example")
        let facts: [Fact<Written>] = [
            .logOpened(LogOpened(schema: 1, app: text, writer: text, chained: true)),
            .logNoted(text: text),
            .appLaunched,
            .queuePurchased(
                QueuePurchased(
                    transaction: TransactionID(name), product: ProductID(name), quantity: 99,
                    purchasedAt: at)),
            .queueFinished(entry: .transaction(TransactionID(name))),
            .queueFailed(
                QueueFailed(payment: PaymentID(name), error: .init(name), code: 1)),
        ]
        var bytes: [UInt8] = []
        for (index, fact) in facts.enumerated() {
            let event = Event<Written>(
                seq: Int64(index * index + 1), at: at, id: index > 2 ? name : nil,
                account: index > 2 ? account : nil, device: index > 1 ? DeviceID(name) : nil, fact)
            try LineWriter.append(event, to: &bytes)
        }
        let head = #"{"seq":9,"at":"2026-02-20T09:00:00.000Z","#
        let unsafe = String(String.UnicodeScalarView(Hostile.unsafe.suffix(14)))
        for rest in [
            #""type":"app.launched","\#(unsafe)":"\#(unsafe)"}"#,
            #""type":"app.launched","k":1,"\u001b[31m\u202e":[{"\#(unsafe)":1}]}"#,
            #""type":"\#(unsafe)"}"#, #""type":"app.launched","device":"\u001b"}"#,
            #""type":"queue.purchasing","payment":\#(unsafe)}"#, unsafe,
            #""type":"app.launched","\#(unsafe)":1,"\#(unsafe)":2}"#,
        ] {
            bytes += raw(head + rest + "\n")
        }
        for line: [UInt8] in [[0x1B, 0x5B, 0x33], [0xFF, 0x1B, 0xC2], [0x7B, 0x00, 0x9B, 0x7D]] {
            bytes += line + [0x0A]
        }
        return bytes + raw(head) + [0x22, 0xE2, 0x80]
    }

    @Test(arguments: [
        ["check"], ["check", "--verbose"], ["check", "--format=json", "--verbose"],
        ["check", "--format=sarif"], ["check", "--format=github"], ["show", "all"],
        ["show", "--format=json", "all"], ["stats"], ["stats", "--format=json"], ["verify"],
        ["seal"], ["explain", Hostile.name], ["explain", Hostile.name, "--format=json"],
        ["explain", "\u{1B}[0m"], ["import", "app-store"], ["import", "storekit"],
    ])
    func `what is printed of a hostile log is safe`(_ arguments: [String]) throws {
        let host = TestHost()
        let path = Hostile.path
        host.files[path] = try log()
        host.files["2" + path] = try log()
        _ = Tool.run(arguments + [path], on: host)
        let allowed: Set<Unicode.Scalar> = arguments[0] == "show" ? ["\n", "\t"] : ["\n"]
        #expect(unsafe(in: host.output, allowed).isEmpty)
        #expect(unsafe(in: host.error).isEmpty)
        #expect(!host.output.isEmpty || !host.error.isEmpty)
        // With two logs, the output names each.
        _ = Tool.run(arguments + [path, "2" + path], on: host)
        #expect(unsafe(in: host.output, allowed).isEmpty)
        #expect(unsafe(in: host.error).isEmpty)
    }

    @Test func `an annotation is one line, whatever it quotes`() throws {
        let host = try TestHost(bytes: [Hostile.path: log()])
        let ran = replay("check", "--format=github", Hostile.path, on: host)
        #expect(ran.lines.count > 5)
        #expect(ran.lines.allSatisfy { $0.hasPrefix("::") })
        #expect(ran.lines.allSatisfy { $0.contains(" file=\\u001b]0;a") })
    }

    @Test func `every rule's findings of a hostile log are safe`() throws {
        // Every sample, with hostile names.
        let host = try TestHost.samples("violations")
        for (path, bytes) in host.files {
            let text = String(decoding: bytes, as: UTF8.self)
            host.files[path] = raw(
                text.replacing(/"(account|product|transaction|payment|content)":"/) {
                    "\"\($0.output.1)\":\"\u{202E}\u{2028}"
                })
        }
        for format in ["text", "json", "sarif", "github"] {
            let ran = replay("check", "--format=\(format)", "events/violations", on: host)
            #expect(unsafe(in: ran.output).isEmpty)
            #expect(ran.lines.count > 50)
            #expect(ran.output.contains("\\u202e"))
        }
    }

    @Test func `arguments and file names are escaped in every message`() {
        let bad = "\u{1B}[31m\u{202E}\u{9B}\n"
        for command in CommandCatalogue.all.map({ $0.name }) + [bad, "--" + bad] {
            for arguments in [
                [bad], ["--" + bad], ["--format=" + bad], ["--until=" + bad, "x"],
                ["--rule=" + bad, "x"], ["--plan=" + bad], ["--faults=" + bad],
                ["--checkpoint=" + bad, "x"], ["--expect-head=" + bad, "x"], ["all", bad],
                ["app-store", bad], ["--shared-secret-file=" + bad, "app-store", "x"],
                ["k", "--threads=" + bad, "x"],
            ] {
                let host = TestHost()
                _ = Tool.run([command] + arguments, on: host)
                #expect(unsafe(in: host.error).isEmpty, "\(command) \(arguments)")
                guard command != "generate" else { continue }
                #expect(unsafe(in: host.output).isEmpty, "\(command) \(arguments)")
            }
        }
    }

    @Test func `a log that the writer wrote can be printed`() throws {
        let bytes = try log()
        let lines = bytes.split(separator: 0x0A).prefix(6)
        for line in lines { #expect(unsafe(in: String(decoding: line, as: UTF8.self)).isEmpty) }
        // The control: the names and texts really contain unsafe scalars, which the lines escape.
        let decoder = LineDecoder()
        for line in lines {
            guard
                case .event(let event) = Array(line).withUnsafeBytes({ decoder.decodeWritten($0) })
            else {
                Issue.record("no event")
                continue
            }
            #expect(event.type == .appLaunched || line.contains(UInt8(ascii: "\\")))
            #expect(unsafe(in: "\(event)").isEmpty)
        }
    }
}
